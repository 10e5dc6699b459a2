import type { RecordOf } from '../records/read-records.ts'
import type { BoardItem } from '../signage/board-item.ts'
import { picturesOf } from '../syndication/media.ts'

/** Picture of a record, with the properties of a board item. */
export type FrontPicture = Pick<BoardItem, 'pictureWidth' | 'pictureHeight'> & {
  readonly pictureUrl: string
}

/** Returns the first picture of each deployed story. */
export function frontPictures(
  stories: readonly RecordOf['news'][],
  siteUrl: string,
): readonly FrontPicture[] {
  return stories
    .filter((story) => story.deployed)
    .flatMap((story) => {
      const [picture] = picturesOf(story, siteUrl)
      if (!picture) return []
      const { url, width = null, height = null } = picture
      return [{ pictureUrl: url, pictureWidth: width, pictureHeight: height }]
    })
}
