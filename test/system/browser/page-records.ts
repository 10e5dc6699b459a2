import { maxPlaceLength } from '../../../src/config/text-settings.ts'
import { datasetFrom, type Dataset } from '../../../src/sandbox/resources/resources.ts'
import { maxLabelLength } from '../../../src/links/feed-link.ts'
import { sampleDatasetOn, sampleSiteName } from '../../../src/sandbox/sample/sample-dataset.ts'
import { plusDays } from '../../../src/sandbox/site-dates.ts'

type PageRecords = {
  readonly siteName: string
  readonly place: string
  readonly records: Dataset
  /** Labels of feed links. */
  readonly labels: readonly string[]
}

/** Day on which the fake clock of test services starts. */
export const today = '2026-03-05'
const sample = sampleDatasetOn(today)

const longWord = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(8).slice(0, 300)
const longName = 'The Honorable Board of Fire Commissioners of the Greater Cedar Hollow Area, '
  .repeat(5)
  .slice(0, 300)

/** Titles and names that would break a careless layout. */
const hostileTexts = [
  longWord,
  longName,
  'يوم مفتوح في محطة الإطفاء مع عرض الشاحنات والطعام والموسيقى لجميع أفراد العائلة',
  '👩‍🚒🔥🎉☕'.repeat(30),
  '<b>Bold</b> <script>alert(1)</script> & "quotes" <img src=x onerror=alert(1)>',
  '消防署開放日，歡迎所有居民前來參觀並了解消防安全知識'.repeat(4),
  '\u202egnihtyreve\u202c',
  '',
]

const hostile = (index: number) => hostileTexts[index % hostileTexts.length] ?? ''

/** Returns a copy of a record with hostile texts in these fields. */
function withHostile<T extends object>(record: T, index: number, names: readonly (keyof T)[]): T {
  const texts = names.map((name, offset) => [name, hostile(index + offset)])
  return { ...record, ...Object.fromEntries(texts) }
}

function hostileRecords(): Dataset {
  const { events, calendar, rental, signup, news, announce, members } = sample
  return {
    ...sample,
    events: events.map((event, index) => ({
      ...withHostile(event, index, ['title', 'location', 'contact']),
      text: `<p>${hostile(index + 3)}</p><pre>${longWord}</pre><table><tr>${`<td>${longName}</td>`.repeat(6)}</tr></table>`,
    })),
    calendar: calendar.map((event, index) => ({
      ...withHostile(event, index, ['title', 'location']),
      calendarId: (index % 40) + 1,
      calendar: `${index % 40} ${hostile(index % 40)}`,
    })),
    rental: rental.map((booking, index) => ({
      ...withHostile(booking, index, ['renter', 'details']),
      typeId: (index % 8) + 1,
      type: `${index % 8} ${hostile(index % 8)}`,
    })),
    signup: signup.map((sheet, index) => ({
      ...withHostile(sheet, index, ['title', 'contact']),
      groups: sheet.groups.map((group, place) => ({
        ...withHostile(group, place, ['name']),
        slots: group.slots.map((slot) => ({
          ...withHostile(slot, place, ['position']),
          signedUp: slot.signedUp.map((each) => withHostile(each, place, ['name', 'note'])),
        })),
      })),
    })),
    news: news.map((story, index) => ({
      ...withHostile(story, index, ['headline', 'author', 'address', 'units']),
      categoryId: (index % 12) + 1,
      category: hostile(index % 12),
      text: `<p>${hostile(index + 4)}</p><pre>${longWord}</pre>${story.text}`,
      images: story.images.map((image) => ({ ...image, caption: hostile(index + 5) })),
    })),
    announce: announce.map((each, index) => withHostile(each, index, ['headline'])),
    members: members.map((member, index) => withHostile(member, index, ['lastName'])),
  }
}

function largeRecords(): Dataset {
  return {
    ...sample,
    events: many(sample.events, 4000, onDay),
    calendar: many(sample.calendar, 6000, onDay),
    news: many(sample.news, 3000, (index) => ({
      date: `${plusDays(today, -Math.floor(index / 2))} 10:30:00`,
      deployed: 1,
      images: [],
      videos: [],
      attachments: [],
    })),
  }
}

/** Repeats records, each with its own id and the given changes. */
function many<T extends { readonly id: number }>(
  records: readonly T[],
  count: number,
  changesAt: (index: number) => Partial<T>,
): readonly T[] {
  return Array.from({ length: count }, (_, index) => {
    const record = records[index % records.length] as T
    return { ...record, ...changesAt(index), id: index + 1 }
  })
}

/** Spreads events over a year. */
function onDay(index: number) {
  const date = plusDays(today, (index % 360) - 90)
  return { startDate: date, endDate: date, status: 2 } as const
}

const plain = {
  siteName: sampleSiteName,
  place: 'Cedar Hollow, NY',
  labels: ['Crew of Engine 1', 'Robin Vale', 'Screen in the hall'],
}

/** Records that every page is tested with, by name. */
export const pageRecords = {
  sample: (): PageRecords => ({ ...plain, records: sample }),
  empty: (): PageRecords => ({ ...plain, records: datasetFrom({}) }),
  hostile: (): PageRecords => ({
    siteName: longName,
    place: longWord.slice(0, maxPlaceLength),
    records: hostileRecords(),
    labels: hostileTexts
      .map((text) => text.slice(0, maxLabelLength))
      .filter((label) => label !== ''),
  }),
  large: (): PageRecords => ({
    ...plain,
    records: largeRecords(),
    labels: Array.from({ length: 60 }, (_, index) => `Member ${index + 1}`),
  }),
}
