/** Types for the part of feedme that MagicMirror's news module uses. */
declare module 'feedme' {
  type Item = Readonly<
    Partial<Record<'title' | 'pubdate' | 'description' | 'category' | 'dc:creator', string>>
  >

  export default class FeedMe {
    on(event: 'item', listener: (item: Item) => void): void
    on(event: 'title' | 'description', listener: (text: string) => void): void
    end(text: string): void
  }
}
