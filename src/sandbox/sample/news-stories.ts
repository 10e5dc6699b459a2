import type { NewsStory } from '../resources/news.ts'
import { plusDays } from '../site-dates.ts'
import { mediaFrom, type Media } from './news-media.ts'
import { pick, weeksAround, type Week } from './weeks.ts'

const weeksBack = 52
const weeksAhead = 1

const categories = { 1: 'Incidents', 2: 'Department News', 3: 'Fire Prevention' } as const

type Draft = Pick<NewsStory, 'headline' | 'text'> &
  Partial<Pick<NewsStory, 'address' | 'units' | 'mutualAid' | 'links'>> & {
    readonly categoryId: keyof typeof categories
    readonly media?: Media
  }

const stories: readonly [Draft, ...Draft[]] = [
  {
    headline: 'Chimney fire on Orchard Lane',
    categoryId: 1,
    text: '<p>Crews were called at 6:42 PM for flames showing from a chimney. The fire was held to the flue; nobody was hurt.</p><p>Have your chimney swept <i>before</i> the season.</p>',
    address: '300 block of Orchard Lane',
    units: 'Engine 1, Ladder 3, Chief 1',
    mutualAid: 'Fox Run Fire Company',
    media: {
      pictures: [
        ['chimney-fire.jpg', 'The flue from Orchard Lane'],
        ['engine-1.jpg', ''],
      ],
    },
  },
  {
    headline: 'Five new members sworn in',
    categoryId: 2,
    text: '<p>Welcome to our new probationary members. Interested in joining? <a href="/join">Read how</a> or come to any Tuesday drill.</p>',
    media: { pictures: [['new-members.jpg', 'From left: five who passed & one photographer']] },
  },
  {
    headline: 'Change your clocks & change your batteries',
    categoryId: 3,
    text: 'Twice a year is easy to remember.\n\nReplace alarms that are older than 10 years. No alarm? Call 555-0133, ours are free.',
    media: { attachments: ['smoke-alarm-checklist.pdf'] },
  },
  {
    headline: 'Two-car accident closes County Route 9',
    categoryId: 1,
    text: '<p>One patient was freed with hydraulic tools &amp; flown out. The road was closed for three hours.</p>',
    address: 'County Route 9 at Miller Pond Road',
    units: 'Rescue 2, Engine 1, Ambulance 7',
    mutualAid: '',
    media: { videos: ['extrication'] },
  },
  {
    headline: 'Tanker 4 is back in service',
    categoryId: 2,
    text: '<p>After six weeks of pump work our tanker is home.</p><script>alert("from an old template")</script><p onclick="track()">Thanks to all who helped.</p>',
    links: [{ text: 'Our apparatus', url: 'https://cedarhollow.example/apparatus' }],
    media: { pictures: [['engine-1.jpg', 'Engine 1 takes a rest']], videos: ['parade'] },
  },
  {
    headline: 'Brush fire “under control” in 20 minutes',
    categoryId: 1,
    text: '<p>About two acres burned along the railway. <b>Open burning needs a permit.</b></p>',
    address: 'Railroad Street',
    units: 'Brush 5, Tanker 4',
    mutualAid: 'Fox Run Fire Company; State Forest Rangers',
    media: {
      pictures: [['brush-fire.jpg', 'Seen from the railway']],
      attachments: ['open-burning-rules.pdf'],
    },
  },
]

export function sampleNewsStories(today: string): readonly NewsStory[] {
  return weeksAround(today, weeksBack, weeksAhead).map(storyOfWeek)
}

function storyOfWeek({ number, monday }: Week): NewsStory {
  const { media = {}, ...draft } = pick(stories, number)
  const date = plusDays(monday, number % 5)
  const posted = `${plusDays(date, -14)} 21:05:00`
  const isChanged = number % 3 === 0
  return {
    id: number,
    date: `${date} 10:30:00`,
    // Some stories are still drafts.
    deployed: number % 11 === 0 ? 0 : 1,
    author: number % 2 === 0 ? 'PIO Jordan Reyes' : '',
    address: '',
    units: '',
    mutualAid: '',
    featured: number % 8 === 0 ? 1 : 0,
    links: [],
    ...draft,
    category: categories[draft.categoryId],
    ...mediaFrom(media, { storyId: number, posted }),
    created: posted,
    createdBy: 'Jordan Reyes',
    modified: isChanged ? `${plusDays(date, -13)} 08:12:44` : '',
    modifiedBy: isChanged ? 'Jordan Reyes' : '',
  }
}
