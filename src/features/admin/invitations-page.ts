import { createHash } from 'node:crypto'
import { CollectionUnavailable } from '../../collections/collection.ts'
import type { Follower } from '../../followers/follower.ts'
import type { Following } from '../../followers/following.ts'
import { readMailAddress } from '../../followers/mail-address.ts'
import { hasEnded, readLabel } from '../../links/feed-link.ts'
import { newLinkId, type ListedLink } from '../../links/stored-links.ts'
import { languageNames, languages, spokenLanguage } from '../../records/messages.ts'
import type { RecordOf } from '../../records/read-records.ts'
import type { AdminContext, AdminPages, Fault } from './admin-context.ts'
import { memberChoicesFrom } from './link-form.ts'

type Shown = {
  readonly faults?: readonly Fault[]
  readonly done?: string | undefined
  /** The language of the emails. */
  readonly language?: string | undefined
  /** Ids of the members who are not selected. */
  readonly omitted?: ReadonlySet<number>
}

/** Serves the page that emails members their own links. */
export function invitationsPage({ page, form }: AdminPages): void {
  page('/invitations', (admin, query) => {
    const [invited, skipped] = ['invited', 'skipped'].map((name) => Number(query.get(name) ?? ''))
    const done = invited || skipped ? sentence(admin, invited, skipped) : undefined
    return invitations(admin, { done })
  })

  form('/invitations', async (admin, sent) => {
    const { actions, following } = admin
    if (!following?.hasMail) return undefined
    const chosen = new Set(sent.getAll('member'))
    const omitted = new Set(
      sent
        .getAll('listed')
        .filter((id) => !chosen.has(id))
        .map(Number),
    )
    const language = languages.find((each) => each === sent.get('language'))
    const kept = { omitted, language }
    const texts = admin.texts.invitations.faults
    const fail = async (fault: Fault) => {
      const shown = await invitations(admin, { ...kept, faults: [fault] })
      return shown && { ...shown, status: 400 }
    }
    const { collections } = admin
    if (sent.get('action') === 'members') {
      try {
        await collections.readDue('members')
        await collections.read('members')
      } catch (error) {
        if (!(error instanceof CollectionUnavailable)) throw error
        return fail(texts.notRead)
      }
      return invitations(admin, kept)
    }
    if (chosen.size === 0) return fail(texts.noneChosen)
    const roster = await actions.readRoster()
    if (!roster.ok) return fail({ english: roster.fault })
    const links = await admin.actions.links.list()
    const linked = linksByMember(admin, links)
    const wanted = roster.value.filter(
      (each) => chosen.has(String(each.id)) && !linked.has(each.id),
    )
    const reachable = wanted.flatMap((member) => {
      const reading = readMailAddress(member.email)
      return reading.ok ? [{ member, address: reading.address }] : []
    })
    const skipped = chosen.size - reachable.length
    const id = nextIdAfter(links)
    const invited = await invite(admin, following, {
      id,
      reachable,
      language: language ?? languages[0],
    })
    if (typeof invited === 'string') return fail(invited)
    const about = { invited: String(invited), skipped: String(skipped) }
    const redirect = `/invitations?${new URLSearchParams(about).toString()}`
    return { done: 'members invited', about, redirect }
  })
}

type Invited = {
  /** Id of the first link. If several forms are submitted at once, only one gets it. */
  readonly id: string
  readonly reachable: readonly {
    readonly member: RecordOf['members/contacts']
    readonly address: string
  }[]
  readonly language: string
}

/** Creates and sends a link for each member. Resolves to the number of members, or to a fault. */
async function invite(
  { actions, texts }: AdminContext,
  { followers }: Following,
  { id, reachable, language }: Invited,
): Promise<number | string> {
  const { faults } = texts.invitations
  const wishes = reachable.map(({ member }) => ({
    label:
      readLabel(`${member.firstName} ${member.lastName}`) ?? texts.invitations.member(member.id),
    profile: 'members' as const,
    feedIds: undefined,
    expiresAt: undefined,
    memberId: member.id,
  }))
  if (wishes.length === 0) return 0
  if (!(await followers.hasRoom('mail'))) {
    return faults.tooManyFollowers
  }
  const added = await actions.links.addAll(wishes, id)
  if (!added.ok) {
    return faults[added.reason]
  }
  for (const [index, { link, key }] of added.added.entries()) {
    const { address = '' } = reachable[index] ?? {}
    if (await followers.invite({ address, language, linkId: link.id }, key)) continue
    return faults.stopped(index, wishes.length)
  }
  return wishes.length
}

function sentence({ texts }: AdminContext, invited = 0, skipped = 0): string {
  const { invited: sent, skipped: left } = texts.invitations
  return skipped === 0 ? sent(invited) : `${sent(invited)} ${left(skipped)}`
}

/** Returns the same id until the links change. */
function nextIdAfter(links: readonly ListedLink[]): string {
  const ids = links.map(({ id }) => id).toSorted()
  const digest = createHash('sha256').update(ids.join(' ')).digest()
  return newLinkId((bytes) => digest.subarray(0, bytes))
}

/** Returns the links that have not ended, by member ID. */
function linksByMember({ clock }: AdminContext, links: readonly ListedLink[]) {
  const now = clock.now()
  const listed = links.filter((link) => !hasEnded(link, now))
  return new Map(
    listed.flatMap((link) => (link.memberId === undefined ? [] : [[link.memberId, link] as const])),
  )
}

async function invitations(
  admin: AdminContext,
  { faults = [], done, language: chosen, omitted = new Set() }: Shown,
) {
  const { actions, collections, following, site, dayOf } = admin
  if (!following?.hasMail) return undefined
  const linked = linksByMember(admin, await actions.links.list())
  const invitedBy = new Map(
    (await following.followers.all()).flatMap((each) =>
      each.invited ? [[each.linkId, each]] : [],
    ),
  )
  const roster = collections.copyOf('members')?.records
  const listed =
    roster &&
    memberChoicesFrom(roster).map(({ id, label }) => {
      const link = linked.get(id)
      const invited = link && invitedBy.get(link.id)
      const state = !link ? 'none' : invited ? stateOf(invited) : 'linked'
      const at = invited?.invited?.sentAt ?? link?.createdAt
      return {
        id,
        label,
        isChosen: !omitted.has(id),
        linkId: link?.id,
        state,
        at: dayOf(at),
        opened: dayOf(link?.lastUse?.at),
      }
    })
  const choices = languages.map((language) => ({
    language,
    name: languageNames[language],
    isChosen: language === (chosen ?? spokenLanguage(site.language)),
  }))
  const shown = { members: listed, languages: choices, faults, done }
  return { template: 'admin/invitations', shown }
}

function stateOf({ rejectedAt, bounced, invited }: Follower) {
  if (rejectedAt !== undefined || bounced) return 'bounced'
  return invited?.sentAt === undefined ? 'waiting' : 'sent'
}
