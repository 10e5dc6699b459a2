import { expect, test } from 'vitest'
import { readRecords } from '../../src/records/read-records.ts'
import {
  attachmentsOf,
  enclosuresOf,
  linkListHtml,
  linksOf,
  pictureHtml,
  picturesOf,
  playersOf,
} from '../../src/syndication/media.ts'
import { itemSource } from './item-source.ts'

const siteUrl = 'https://cedarhollow.example'

function storyWith(media: object) {
  const item = { id: 7, date: '2026-03-05 10:30:00', deployed: 1, ...media }
  const [story] = readRecords('news', [item]).records
  if (!story) throw new TypeError('not a story')
  return story
}

const image = { id: 1, url: '/files/a.JPG', caption: 'Engine &amp;\n<b>crew</b>', fileSize: 33_549 }

test('lists pictures with absolute URLs and correct types, starting with the front picture', () => {
  const images = [
    { ...image, width: 1200, height: 800, front: 0 },
    { ...image, id: 2, url: 'https://cdn.example/b.png?x=1', caption: '', fileSize: '', front: 1 },
  ]
  const unknown = { fileSize: undefined, width: undefined, height: undefined }
  expect(picturesOf(storyWith({ images }), siteUrl)).toEqual([
    { url: 'https://cdn.example/b.png?x=1', type: 'image/png', title: '', ...unknown },
    {
      url: `${siteUrl}/files/a.JPG`,
      type: 'image/jpeg',
      title: 'Engine & crew',
      fileSize: 33_549,
      width: 1200,
      height: 800,
    },
  ])
})

test.for(['', 'http://a.example/a.jpg', 'javascript:x//a.jpg', 'data:image/png,a.png'])(
  'rejects "%s" as a picture',
  (url) => {
    expect(picturesOf(storyWith({ images: [{ ...image, url }] }), siteUrl)).toEqual([])
  },
)

test.for(['/a', '/a.svg', '/photo.cfm?id=3', '/a.constructor'])(
  'shows %s but does not enclose it, because its type is unknown',
  (url) => {
    const pictures = picturesOf(storyWith({ images: [{ ...image, url }] }), siteUrl)
    expect(pictures).toMatchObject([{ url: `${siteUrl}${url}`, type: undefined }])
    expect(enclosuresOf(pictures, [])).toEqual([])
  },
)

test('upgrades URLs on the website itself to HTTPS', () => {
  const url = 'http://cedarhollow.example/a.jpg'
  expect(picturesOf(storyWith({ images: [{ ...image, url }] }), siteUrl)).toMatchObject([
    { url: 'https://cedarhollow.example/a.jpg' },
  ])
})

test('shows the caption and size of a picture', () => {
  const [picture] = picturesOf(
    storyWith({ images: [{ ...image, caption: 'A "B" & C < D', width: 1200, height: -1 }] }),
    siteUrl,
  )
  expect(picture && pictureHtml(picture)).toBe(
    '<figure><img src="https://cedarhollow.example/files/a.JPG" alt="A &quot;B&quot; &amp; C &lt; D" width="1200" />' +
      '<figcaption>A &quot;B&quot; &amp; C &lt; D</figcaption></figure>',
  )
})

test('derives the type of each file from its extension, and gives each file a name', () => {
  const attachments = [
    { id: 1, url: '/files/rules.pdf', fileName: 'rules.pdf', fileSize: 18_034 },
    { id: 2, url: '/files/odd.xyz', fileName: '', fileSize: '' },
    { id: 3, url: 'ftp://a.example/a.pdf', fileName: 'a.pdf' },
    { id: 4, url: '/download/12', fileName: 'x', extension: 'PDF' },
    { id: 5, url: '/download/13', fileName: 'x.docx' },
    { id: 6, url: 'http://a.example/old.pdf', fileName: 'old.pdf' },
  ]
  const files = attachmentsOf(storyWith({ attachments }), itemSource)
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  expect(files.map(({ url, type, title, fileSize }) => [url, type, title, fileSize])).toEqual([
    [`${siteUrl}/files/rules.pdf`, 'application/pdf', 'rules.pdf', 18_034],
    [`${siteUrl}/files/odd.xyz`, 'application/octet-stream', 'File', undefined],
    [`${siteUrl}/download/12`, 'application/pdf', 'x', undefined],
    [`${siteUrl}/download/13`, word, 'x.docx', undefined],
  ])
  expect(
    attachmentsOf(storyWith({ attachments }), itemSource, ['https:', 'http:']).map(
      ({ url }) => url,
    ),
  ).toContain('http://a.example/old.pdf')
})

const officeType = 'application/vnd.openxmlformats-officedocument'

test.for([
  ['csv', 'text/csv'],
  ['doc', 'application/msword'],
  ['docx', `${officeType}.wordprocessingml.document`],
  ['heic', 'image/heic'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['pptx', `${officeType}.presentationml.presentation`],
  ['txt', 'text/plain'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', `${officeType}.spreadsheetml.sheet`],
  ['zip', 'application/zip'],
  ['jpg', 'image/jpeg'],
  ['webp', 'image/webp'],
] as const)('gives .%s files the type %s', ([extension, type]) => {
  const attachments = [{ id: 1, url: `/files/a.${extension}`, fileName: `a.${extension}` }]
  expect(attachmentsOf(storyWith({ attachments }), itemSource)).toMatchObject([{ type }])
})

test('limits the number of media items of each kind', () => {
  const images = Array.from({ length: 150 }, (_, index) => ({ ...image, id: index + 1 }))
  expect(picturesOf(storyWith({ images }), siteUrl)).toHaveLength(100)
  const attachments = Array.from({ length: 101 }, (_, index) => ({
    id: index + 1,
    url: `/files/${index}.pdf`,
    fileName: `${index}.pdf`,
    extension: 'pdf',
    fileSize: 1,
  }))
  expect(attachmentsOf(storyWith({ attachments }), itemSource)).toHaveLength(100)
})

const watch = 'https://www.youtube.com/watch?v='
const facebook = 'https%3A%2F%2Fwww.facebook.com%2Frye%2Fvideos%2F1%2F'

test.for([
  ['"https://www.youtube.com/embed/Ab_-1" allowfullscreen', `${watch}Ab_-1`],
  ["'//www.youtube-nocookie.com/embed/Ab1?rel=0'", `${watch}Ab1`],
  ['https://www.youtube.com/shorts/Ab1', `${watch}Ab1`],
  ['https://youtu.be/Ab1?t=5', `${watch}Ab1`],
  ['https://m.youtube.com/watch?app=m&amp;v=Ab1', `${watch}Ab1`],
  [
    '"https://www.youtube.com/embed/live_stream?autoplay=1&amp;channel=UC_-1"',
    'https://www.youtube.com/channel/UC_-1/live',
  ],
  [
    '"https://www.youtube.com/embed/videoseries?list=PL_x-1"',
    'https://www.youtube.com/playlist?list=PL_x-1',
  ],
  ['https://player.vimeo.com/video/123 ', 'https://vimeo.com/123'],
  ['"https://player.vimeo.com/video/123/?h=ab12&amp;x=1"', 'https://vimeo.com/123/ab12'],
  ['https://vimeo.com/event/12/embed', 'https://vimeo.com/event/12'],
  [
    `"https://www.facebook.com/plugins/video.php?height=3&amp;href=${facebook}&amp;t=0"`,
    'https://www.facebook.com/rye/videos/1/',
  ],
  ['"https://player.twitch.tv/?channel=rye&amp;parent=a.example"', 'https://www.twitch.tv/rye'],
  ['https://www.dailymotion.com/embed/video/x1', 'https://www.dailymotion.com/video/x1'],
  [
    'https://livestream.com/accounts/1/events/2/player?width=5',
    'https://livestream.com/accounts/1/events/2',
  ],
  ['https://www.broadcastify.com/webPlayer/12', 'https://www.broadcastify.com/listen/feed/12'],
  ['https://open.spotify.com/embed/episode/Ab1', 'https://open.spotify.com/episode/Ab1'],
  ['/files/call.mp3', `${siteUrl}/files/call.mp3`],
] as const)('links to %s at the page %s', ([source, address]) => {
  const embedCode = `<iframe width='5' src=${source}></iframe>`
  expect(playersOf(storyWith({ videos: [{ id: 1, embedCode }] }), siteUrl)).toEqual([address])
})

test.for([
  ['<video src="/files/parade.webm">no</video>', `${siteUrl}/files/parade.webm`],
  ['<audio controls><source src="/call.mp3">no</audio>', `${siteUrl}/call.mp3`],
  [
    '<div id="fb-root"></div><div class="fb-video" data-href="https://www.facebook.com/rye/videos/1/">no</div>',
    'https://www.facebook.com/rye/videos/1/',
  ],
  [`${watch}Ab1`, `${watch}Ab1`],
  ['https://www.facebook.com/rye/live', 'https://www.facebook.com/rye/live'],
] as const)('links to what %s plays', ([embedCode, address]) => {
  expect(playersOf(storyWith({ videos: [{ id: 1, embedCode }] }), siteUrl)).toEqual([address])
})

test.for([
  '<iframe src="https://evil.example/embed/x"></iframe>',
  '<iframe src="https://www.youtube.com.evil.example/embed/x"></iframe>',
  '<iframe src="https://evil.example/www.youtube.com/embed/x"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe src="https://player.vimeo.com.evil.example/video/1"></iframe>',
  '<iframe src="https://www.youtube.com/embed/videoseries"></iframe>',
  '<iframe src="https://www.facebook.com/plugins/video.php?href=https://evil.example/"></iframe>',
  '<div class="fb-video" data-href="https://evil.example/"></div>',
  '<video src="javascript:alert(1)"></video>',
  '<script>alert(1)</script>',
  '',
])('finds no video in %s', (embedCode) => {
  expect(playersOf(storyWith({ videos: [{ id: 1, embedCode }] }), siteUrl)).toEqual([])
})

test('links to a video only once', () => {
  const embedCode = '<iframe src="https://player.vimeo.com/video/123"></iframe>'
  const videos = [
    { id: 1, embedCode },
    { id: 2, embedCode },
  ]
  expect(playersOf(storyWith({ videos }), siteUrl)).toEqual(['https://vimeo.com/123'])
})

test('lists links with text and absolute URLs', () => {
  const links = [
    { text: 'Rules & more', url: '/rules' },
    { text: '', url: 'https://a.example/?b=1&c=2' },
    { text: 'x', url: 'javascript:alert(1)' },
    { text: 'y', url: 'http://a.example' },
    { text: 'Write', url: 'mailto:chief@cedarhollow.example' },
  ]
  expect(linkListHtml(linksOf(storyWith({ links }), siteUrl))).toBe(
    '<ul><li><a href="https://cedarhollow.example/rules" rel="noopener noreferrer nofollow">Rules &amp; more</a></li>' +
      '<li><a href="https://a.example/?b=1&amp;c=2" rel="noopener noreferrer nofollow">https://a.example/?b=1&amp;c=2</a></li>' +
      '<li><a href="http://a.example/" rel="noopener noreferrer nofollow">y</a></li>' +
      '<li><a href="mailto:chief@cedarhollow.example" rel="noopener noreferrer nofollow">Write</a></li></ul>',
  )
  expect(linkListHtml([])).toBe('')
})

test('handles very long embed codes', () => {
  const embedCode = '<iframe '.repeat(125_000)
  expect(playersOf(storyWith({ videos: [{ id: 1, embedCode }] }), siteUrl)).toEqual([])
})

test('encodes the signs in file names', () => {
  const attachments = [{ id: 1, url: '/files/Flyer #2 50%.pdf', fileName: 'Flyer #2 50%.pdf' }]
  const images = [
    { ...image, url: '/files/Day #1.jpg?x=1' },
    { ...image, url: '/a%20b.jpg' },
  ]
  const story = storyWith({ attachments, images })
  const file = `${siteUrl}/files/Flyer%20%232%2050%25.pdf`
  expect(attachmentsOf(story, itemSource)).toMatchObject([{ url: file, type: 'application/pdf' }])
  expect(picturesOf(story, siteUrl)).toMatchObject([
    { url: `${siteUrl}/files/Day%20%231.jpg?x=1` },
    { url: `${siteUrl}/a%20b.jpg` },
  ])
})
