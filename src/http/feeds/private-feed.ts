/** The viewer may not read this feed. */
export class PrivateFeed extends Error {
  override readonly name = 'PrivateFeed'

  constructor(title: string, { hasLink }: { readonly hasLink: boolean }) {
    const ask = "Ask the organisation's webmaster for"
    super(
      hasLink
        ? `This feed link does not give the feed "${title}". ${ask} another one.`
        : `The feed "${title}" is not public. ${ask} a feed link.`,
    )
  }
}
