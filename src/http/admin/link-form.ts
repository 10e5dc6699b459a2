import { linkProfiles, maxLabelLength, readExpiry, readLabel } from '../../links/feed-link.ts'
import { isLinkId, type NewLink } from '../../links/stored-links.ts'

/** Fields in the form for a new feed link. */
export type LinkForm = {
  /** Id of the new link, so that submitting the form twice creates only one link. */
  readonly id: string
  readonly label: string
  readonly profile: string
  /** `all` or `some`. */
  readonly feeds: string
  readonly feedIds: readonly string[]
  readonly expires: string
}

export function emptyLinkForm(id: string): LinkForm {
  return { id, label: '', profile: 'members', feeds: 'all', feedIds: [], expires: '' }
}

export function linkFormFrom(sent: URLSearchParams): LinkForm {
  return {
    id: sent.get('id') ?? '',
    label: sent.get('label') ?? '',
    profile: sent.get('profile') ?? '',
    feeds: sent.get('feeds') ?? '',
    feedIds: [...new Set(sent.getAll('feed'))],
    expires: sent.get('expires') ?? '',
  }
}

export function readLinkForm(
  form: LinkForm,
  known: { readonly feedIds: readonly string[]; readonly timeZone: string; readonly now: number },
):
  | { readonly ok: true; readonly wish: NewLink & { readonly id: string } }
  | { readonly ok: false; readonly faults: readonly string[] } {
  const label = readLabel(form.label)
  const profile = linkProfiles.find((name) => name === form.profile)
  const isForEver = form.expires.trim() === ''
  const expiresAt = isForEver ? undefined : readExpiry(form.expires.trim(), known)
  const faults = [
    label === undefined &&
      `Enter who or what the link is for, in at most ${maxLabelLength} characters.`,
    !profile && 'Choose a profile.',
    !isChoice(form, known.feedIds) && 'Choose all feeds, or “Only these” and at least one feed.',
    !isForEver && expiresAt === undefined && 'Choose today or a later date as the last day.',
  ].filter((fault) => typeof fault === 'string')
  if (!isLinkId(form.id)) faults.push('Reload the admin page.')
  if (label === undefined || !profile || faults.length > 0) return { ok: false, faults }
  const feedIds = form.feeds === 'all' ? undefined : form.feedIds
  return { ok: true, wish: { id: form.id, label, feedIds, profile, expiresAt } }
}

function isChoice({ feeds, feedIds }: LinkForm, known: readonly string[]): boolean {
  // Selecting both "all" and individual feeds is ambiguous.
  if (feeds === 'all') return feedIds.length === 0
  return feeds === 'some' && feedIds.length > 0 && feedIds.every((id) => known.includes(id))
}
