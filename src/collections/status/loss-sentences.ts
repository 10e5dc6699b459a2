import type { Loss } from '../../store/losses.ts'

/** Names of kept buckets in messages to operators. Other buckets are not mentioned. */
const names: Readonly<Record<string, string>> = {
  settings: 'settings and emergency text',
  identity: 'host in ids',
  links: 'feed links',
  followers: 'followers',
  'admin-sessions': 'sign-ins',
}

const redisSentence =
  'Redis must save its data to disk (appendonly yes) and must not evict keys (maxmemory-policy noeviction).'
const fileSentence = 'Move or replace files in DATA_DIR only while Feedhouse is stopped.'

type TimeOf = (instant: number) => string

/** Describes documents that the store has lost, and that no process has written back. */
export function lostSentence({ at, buckets, isFile }: Loss, timeOf: TimeOf): string {
  const effect = buckets.includes('settings')
    ? 'Therefore, no feed is public. Restore a backup, or check the settings on the admin page and save them.'
    : 'Restore a backup. To end this message without one, save the settings on the admin page.'
  const what = isFile
    ? `The SQLite file was missing, replaced or outdated when Feedhouse started at ${timeOf(at)}, so stored data is lost`
    : `Redis lost stored data before ${timeOf(at)}`
  return `${what}${namesOf(buckets)}. ${effect} ${isFile ? fileSentence : redisSentence}`
}

/** Describes documents that the store has lost, and that a process has written back. */
export function restoredSentence({ at, buckets, isFile }: Loss, timeOf: TimeOf): string {
  return isFile
    ? `The SQLite file was moved or deleted before ${timeOf(at)}, while Feedhouse was running. Feedhouse has written its whole content back, which it cannot do after a restart. ${fileSentence}`
    : `Redis lost stored data before ${timeOf(at)}${namesOf(buckets)}. Feedhouse has written it back from memory, which it cannot do after a restart. ${redisSentence}`
}

function namesOf(buckets: readonly string[]): string {
  const named = buckets.flatMap((bucket) => names[bucket] ?? [])
  return named.length === 0 ? '' : `: ${named.join(', ')}`
}
