import { plusDays } from '../site-dates.ts'
import type { History } from './history.ts'
import { pick, weeksAround, type Week } from './weeks.ts'

export type NewsStory = History & {
  readonly id: number
  readonly date: string
  readonly headline: string
  /** 1 = deployed (live). */
  readonly deployed: number
  readonly author: string
  readonly text: string
  readonly address: string
  readonly units: string
  readonly mutualAid: string
  /** 1 = featured. */
  readonly featured: number
  readonly categoryId: number
  readonly category: string
  readonly links: readonly { readonly text: string; readonly url: string }[]
  readonly images: readonly never[]
  readonly attachments: readonly never[]
  readonly videos: readonly never[]
}

const weeksBack = 52
const weeksAhead = 1

const categories = { 1: 'Incidents', 2: 'Department News', 3: 'Fire Prevention' } as const

type Draft = Pick<NewsStory, 'headline' | 'text'> &
  Partial<Pick<NewsStory, 'address' | 'units' | 'mutualAid' | 'links'>> & {
    readonly categoryId: keyof typeof categories
  }

const stories: readonly [Draft, ...Draft[]] = [
  {
    headline: 'Chimney fire on Orchard Lane',
    categoryId: 1,
    text: '<p>Crews were called at 6:42 PM for flames showing from a chimney. The fire was held to the flue; nobody was hurt.</p><p>Have your chimney swept <i>before</i> the season.</p>',
    address: '300 block of Orchard Lane',
    units: 'Engine 1, Ladder 3, Chief 1',
    mutualAid: 'Fox Run Fire Company',
  },
  {
    headline: 'Five new members sworn in',
    categoryId: 2,
    text: '<p>Welcome to our new probationary members. Interested in joining? <a href="/join">Read how</a> or come to any Tuesday drill.</p>',
  },
  {
    headline: 'Change your clocks & change your batteries',
    categoryId: 3,
    text: 'Twice a year is easy to remember.\n\nReplace alarms that are older than 10 years. No alarm? Call 555-0133, ours are free.',
  },
  {
    headline: 'Two-car accident closes County Route 9',
    categoryId: 1,
    text: '<p>One patient was freed with hydraulic tools &amp; flown out. The road was closed for three hours.</p>',
    address: 'County Route 9 at Miller Pond Road',
    units: 'Rescue 2, Engine 1, Ambulance 7',
    mutualAid: '',
  },
  {
    headline: 'Tanker 4 is back in service',
    categoryId: 2,
    text: '<p>After six weeks of pump work our tanker is home.</p><script>alert("from an old template")</script><p onclick="track()">Thanks to all who helped.</p>',
    links: [{ text: 'Our apparatus', url: 'https://cedarhollow.example/apparatus' }],
  },
  {
    headline: 'Brush fire “under control” in 20 minutes',
    categoryId: 1,
    text: '<p>About two acres burned along the railway. <b>Open burning needs a permit.</b></p>',
    address: 'Railroad Street',
    units: 'Brush 5, Tanker 4',
    mutualAid: 'Fox Run Fire Company; State Forest Rangers',
  },
]

export function sampleNewsStories(today: string): readonly NewsStory[] {
  return weeksAround(today, weeksBack, weeksAhead).map(storyOfWeek)
}

function storyOfWeek({ number, monday }: Week): NewsStory {
  const draft = pick(stories, number)
  const date = plusDays(monday, number % 5)
  const isChanged = number % 3 === 0
  return {
    id: number,
    date: `${date} 10:30:00`,
    // Now and then a story is still being written.
    deployed: number % 11 === 0 ? 0 : 1,
    author: number % 2 === 0 ? 'PIO Jordan Reyes' : '',
    address: '',
    units: '',
    mutualAid: '',
    featured: number % 8 === 0 ? 1 : 0,
    links: [],
    images: [],
    attachments: [],
    videos: [],
    ...draft,
    category: categories[draft.categoryId],
    created: `${plusDays(date, -14)} 21:05:00`,
    createdBy: 'Jordan Reyes',
    modified: isChanged ? `${plusDays(date, -13)} 08:12:44` : '',
    modifiedBy: isChanged ? 'Jordan Reyes' : '',
  }
}
