import type { NewsStory } from '../resources/news.ts'

type Picture = Pick<NewsStory['images'][number], 'width' | 'height' | 'fileSize'>
type AttachedFile = Pick<NewsStory['attachments'][number], 'fileSize'>

const size = { width: 1200, height: 800 }

/** Files in `files/`, with their actual sizes. */
const pictures = {
  'brush-fire.jpg': { ...size, fileSize: 33_549 },
  'chimney-fire.jpg': { ...size, fileSize: 27_726 },
  'engine-1.jpg': { ...size, fileSize: 39_523 },
  'new-members.jpg': { ...size, fileSize: 31_859 },
} as const satisfies Readonly<Record<string, Picture>>

const attachedFiles = {
  'open-burning-rules.pdf': { fileSize: 18_034 },
  'smoke-alarm-checklist.pdf': { fileSize: 22_644 },
} as const satisfies Readonly<Record<string, AttachedFile>>

const embedCodes = {
  parade: '<video controls src="/files/parade.webm" width="640" height="360"></video>',
  extrication:
    '<iframe width="560" height="315" src="https://www.youtube.com/embed/CedarHollow" title="Extrication drill" allowfullscreen></iframe>',
} as const

/** The media in a story. The first picture is the front image. */
export type Media = {
  readonly pictures?: readonly (readonly [fileName: keyof typeof pictures, caption: string])[]
  readonly attachments?: readonly (keyof typeof attachedFiles)[]
  readonly videos?: readonly (keyof typeof embedCodes)[]
}

export function mediaFrom(
  media: Media,
  { storyId, posted }: { readonly storyId: number; readonly posted: string },
): Pick<NewsStory, 'images' | 'attachments' | 'videos'> {
  const idOf = (index: number) => storyId * 10 + index
  return {
    images: (media.pictures ?? []).map(([fileName, caption], index) => ({
      id: idOf(index),
      url: `/files/${fileName}`,
      caption,
      ...pictures[fileName],
      front: index === 0 ? 1 : 0,
    })),
    attachments: (media.attachments ?? []).map((fileName, index) => ({
      id: idOf(index),
      fileName,
      url: `/files/${fileName}`,
      extension: 'pdf',
      ...attachedFiles[fileName],
      posted,
    })),
    videos: (media.videos ?? []).map((name, index) => ({
      id: idOf(index),
      embedCode: embedCodes[name],
      posted,
    })),
  }
}
