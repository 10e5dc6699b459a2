/** The parser of MagicMirror's news module, as far as it is used here. */
declare module 'feedme' {
  export default class FeedMe {
    on(event: 'item', listener: (item: { title?: string; pubdate?: string }) => void): void
    end(text: string): void
  }
}
