/** The feed is not among the public ones and the request came without a feed link. */
export class PrivateFeed extends Error {
  override readonly name = 'PrivateFeed'

  constructor(title: string) {
    super(`The feed "${title}" is not public. Ask the organisation's webmaster for a feed link.`)
  }
}
