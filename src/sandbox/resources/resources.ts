import { z } from 'zod'
import type { Parameters } from '../parameters.ts'
import { announce, type Announcement } from './announce.ts'
import { calendar, type CalendarEvent } from './calendar.ts'
import { databases, type CustomDatabase } from './databases.ts'
import { discuss, type ForumTopic } from './discuss.ts'
import { documents, type Document } from './documents.ts'
import { events, type PublicEvent } from './events.ts'
import { guestbook, type GuestbookEntry } from './guestbook.ts'
import { members, type Member } from './members.ts'
import { minutes, type MeetingMinutes } from './minutes.ts'
import { news, type NewsStory } from './news.ts'
import { rental, type RentalBooking } from './rental.ts'
import type { Resource, Selection, Site } from './resource.ts'
import { signup, type SignUpSheet } from './signup.ts'
import { training, type TrainingRecord } from './training.ts'

/** Record types by data endpoint. */
export type Records = {
  readonly announce: Announcement
  readonly calendar: CalendarEvent
  readonly databases: CustomDatabase
  readonly discuss: ForumTopic
  readonly documents: Document
  readonly events: PublicEvent
  readonly guestbook: GuestbookEntry
  readonly members: Member
  readonly minutes: MeetingMinutes
  readonly news: NewsStory
  readonly rental: RentalBooking
  readonly signup: SignUpSheet
  readonly training: TrainingRecord
}

export type ResourceName = keyof Records

/** All records of a website. */
export type Dataset = { readonly [Name in ResourceName]: readonly Records[Name][] }

export const resources: { readonly [Name in ResourceName]: Resource<Records[Name]> } = {
  announce,
  calendar,
  databases,
  discuss,
  documents,
  events,
  guestbook,
  members,
  minutes,
  news,
  rental,
  signup,
  training,
}

export const resourceNames = Object.keys(resources) as readonly ResourceName[]

export function isResourceName(name: string): name is ResourceName {
  return Object.hasOwn(resources, name)
}

/** Returns the response data for a data endpoint. Throws an `ApiError`. */
export function selectionOf<Name extends ResourceName>(
  name: Name,
  dataset: Pick<Dataset, Name>,
  parameters: Parameters,
  site: Site,
): Selection {
  return resources[name].select(dataset[name], parameters, site)
}

/** Returns a dataset with all endpoints. Adds missing properties to records, in a consistent order. */
export function datasetFrom(records: Readonly<Partial<Record<ResourceName, unknown>>>): Dataset {
  const entries = resourceNames.map((name) => [
    name,
    z.array(resources[name].record).parse(records[name] ?? []),
  ])
  return Object.fromEntries(entries) as Dataset
}
