import { storedAbout } from '../../followers/stored-about.ts'
import type { AdminPages } from './admin-context.ts'

/** Serves the page on which the admin finds and deletes the data about an email address. */
export function followersPage({ page, form }: AdminPages): void {
  const template = 'admin/followers'

  page('/followers', async ({ following }, query) => {
    if (!following) return undefined
    const { followers } = following
    const unreadable = (await followers.unreadable()).length
    return { template, shown: { done: query.get('done'), unreadable } }
  })

  form('/followers', async ({ following }, sent) => {
    if (!following) return undefined
    const { followers } = following
    if (sent.has('unreadable')) {
      for (const follower of await followers.unreadable()) await followers.remove(follower)
      return { done: 'unreadable followers deleted', redirect: '/followers?done=unreadable' }
    }
    const address = (sent.get('address') ?? '').trim()
    const found = await followers.ofAddress(address)
    if (!sent.has('delete')) {
      const stored = found.map((follower) => storedAbout(follower, followers.addressOf(follower)))
      return { template, shown: { address, stored } }
    }
    for (const follower of found) await followers.remove(follower)
    return { done: 'data of a follower deleted', redirect: '/followers?done=deleted' }
  })
}
