import type { Loss } from '../../store/losses.ts'

/** Names of kept buckets in messages to operators. Other buckets are not mentioned. */
const names: Readonly<Record<string, string>> = {
  settings: 'settings and emergency text',
  identity: 'host in ids',
  links: 'feed links',
  followers: 'followers',
  'admin-sessions': 'sign-ins',
}

const preventionSentence =
  'Redis must save its data to disk (appendonly yes) and must not evict keys (maxmemory-policy noeviction).'

/** Describes documents that the store has lost, and that no process has written back. */
export function lostSentence({ at, buckets }: Loss, timeOf: (instant: number) => string): string {
  const effect = buckets.includes('settings')
    ? 'Therefore, no feed is public. Restore a backup, or check the settings on the admin page and save them.'
    : 'Restore a backup. To end this message without one, save the settings on the admin page.'
  return `Redis lost stored data before ${timeOf(at)}${namesOf(buckets)}. ${effect} ${preventionSentence}`
}

/** Describes documents that the store has lost, and that a process has written back. */
export function restoredSentence(
  { at, buckets }: Loss,
  timeOf: (instant: number) => string,
): string {
  return `Redis lost stored data before ${timeOf(at)}${namesOf(buckets)}. Feedhouse has written it back from memory, which it cannot do after a restart. ${preventionSentence}`
}

function namesOf(buckets: readonly string[]): string {
  const named = buckets.flatMap((bucket) => names[bucket] ?? [])
  return named.length === 0 ? '' : `: ${named.join(', ')}`
}
