import { describe, expect, test } from 'vitest'
import { calendarRecipe, eventsRecipe, rentalRecipe } from '../../src/calendar/record-recipes.ts'
import type { EntryRecipe } from '../../src/calendar/entry-recipe.ts'
import { signUpRecipe } from '../../src/calendar/sign-up-recipe.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import type { Profile } from '../../src/records/profile.ts'
import { readRecords } from '../../src/records/read-records.ts'

const siteUrl = 'https://www.cedarhollow.example'
const day = { id: 7, status: 2, startDate: '2026-03-10', allDay: 1 }

const recipes = {
  calendar: calendarRecipe,
  events: eventsRecipe,
  rental: rentalRecipe,
  signup: signUpRecipe,
}

function textOf(resource: keyof typeof recipes, item: object, profile: Profile = 'public') {
  const [record] = readRecords(resource, [{ ...day, ...item }]).records
  if (!record) throw new TypeError('not a record')
  const recipe = recipes[resource] as EntryRecipe<FeedResource>
  return recipe.textFor(record, { profile, siteUrl, language: 'en-US' })
}

describe('the recipe for events', () => {
  test('converts HTML to readable text in every field', () => {
    expect(
      textOf('events', {
        title: 'Drill &amp;\n<b>dinner</b>',
        location: 'Station&nbsp;1',
        text: '<p>Bring gear:</p><ul><li>hood<li>gloves</ul><p><a href="/map">Map</a></p>',
        contact: 'Dana',
      }),
    ).toEqual({
      summary: 'Drill & dinner',
      location: 'Station 1',
      description:
        'Bring gear:\n\n- hood\n- gloves\n\nMap https://www.cedarhollow.example/map\n\nContact: Dana',
      categories: [],
    })
  })

  test('adds a default title to an event without a title', () => {
    expect(textOf('events', { title: ' <br> ' }).summary).toBe('Untitled')
  })
})

describe('the recipe for calendar events', () => {
  const item = { title: 'Drill', calendarId: 3, calendar: 'Training', contact: 'Dana, 555-0142' }

  test('uses the calendar’s name as the category', () => {
    expect(textOf('calendar', item).categories).toEqual(['Training'])
    expect(textOf('calendar', { ...item, calendar: '' }).categories).toEqual([])
  })

  test('shows the contact to members', () => {
    expect(textOf('calendar', item, 'public').description).toBe('')
    expect(textOf('calendar', item, 'members').description).toBe('Contact: Dana, 555-0142')
    expect(textOf('calendar', item, 'full').description).toBe('Contact: Dana, 555-0142')
  })
})

describe('the recipe for bookings', () => {
  const item = {
    typeId: 2,
    type: 'Social Hall',
    renter: 'Harriet Bloom',
    renterPhone: '555-0181',
    details: 'Party<br>60 guests',
  }
  const nothingElse = { location: '', description: '', categories: ['Social Hall'] }

  test('shows only a reservation to the public', () => {
    expect(textOf('rental', item)).toEqual({ summary: 'Reserved: Social Hall', ...nothingElse })
    expect(textOf('rental', { ...item, type: '' })).toMatchObject({
      summary: 'Reserved',
      categories: [],
    })
  })

  test('shows the rental type to members', () => {
    expect(textOf('rental', item, 'members')).toEqual({ summary: 'Social Hall', ...nothingElse })
    expect(textOf('rental', { ...item, type: '' }, 'members').summary).toBe('Reserved')
  })

  test('shows the renter and the details to the full profile', () => {
    expect(textOf('rental', item, 'full')).toMatchObject({
      summary: 'Social Hall: Harriet Bloom',
      description: 'Renter: Harriet Bloom\nPhone: 555-0181\n\nParty\n60 guests',
    })
    expect(textOf('rental', { ...item, renter: '' }, 'full').summary).toBe('Social Hall')
    expect(textOf('rental', { ...item, type: '' }, 'full').summary).toBe('Reserved: Harriet Bloom')
  })
})

const slot = (position: string, number: number | undefined, ...names: readonly string[]) => ({
  id: 1,
  position,
  number,
  signedUp: names.map((name) => ({ name, note: name === 'Pat' ? 'till ten' : '', date: '' })),
})

describe('the recipe for sign-up sheets', () => {
  const item = {
    title: 'Breakfast crew',
    date: '2026-03-15',
    eventDate: 'Sunday, 6:30 AM to noon',
    details: {
      sheet: { contact: 'Frances, 555-0123' },
      groups: [
        { id: 1, name: 'Kitchen', slots: [slot('Griddle', 2, 'Pat', 'Sam'), slot('Dishes', 3)] },
        { id: 2, name: 'Hall', slots: [slot('Tickets', 3, 'Drew', 'Kim')] },
      ],
    },
  }

  test('shows the open slots in each group', () => {
    const groups =
      '4 of 8 places open\n\nKitchen\nGriddle: 2 taken\nDishes: 3 open\n\nHall\nTickets: 2 taken, 1 open'
    for (const profile of ['public', 'members'] as const) {
      expect(textOf('signup', item, profile)).toEqual({
        summary: 'Breakfast crew',
        location: '',
        description: groups,
        categories: [],
      })
    }
  })

  test('shows names, notes and the contact to the full profile', () => {
    const { description } = textOf('signup', item, 'full')
    expect(description).toContain('\nGriddle: Pat, till ten; Sam\n')
    expect(description).toMatch(/\n\nContact: Frances, 555-0123$/)
  })

  test('shows a sheet whose details have not been read', () => {
    expect(textOf('signup', { ...item, details: undefined }).description).toBe('')
  })

  test.for([
    ['22:00', ''],
    ['Sunday, 6:30 AM to noon', ''],
    ['Saturday, 7 PM', 'Saturday, 7 PM'],
    ['to be announced', 'to be announced'],
    ['22:00, bring gloves', '22:00, bring gloves'],
  ] as const)(
    'repeats the sheet’s description of its time, unless that is only the time: %s',
    (row) => {
      const [eventDate, description] = row
      expect(textOf('signup', { ...item, eventDate, details: undefined }).description).toBe(
        description,
      )
    },
  )

  test('shows the number of sign-ups if slots are unlimited, and 0 open slots if overbooked', () => {
    const details = {
      groups: [
        { id: 1, name: '', slots: [slot('', undefined, 'Kim'), slot('Bus', 1, 'Al', 'Bo')] },
      ],
    }
    expect(textOf('signup', { ...item, eventDate: '', details }).description).toBe(
      '3 signed up\n\nGroup\nPlace: 1 signed up, open\nBus: 2 taken',
    )
  })

  test.for([
    [
      'Sunday, 6:30 AM to noon',
      { allDay: false, start: '2026-03-15T06:30:00', end: '2026-03-15T12:00:00' },
    ],
    ['22:00', { allDay: false, start: '2026-03-15T22:00:00', end: undefined }],
    ['to be announced', { allDay: true, start: '2026-03-15', end: '2026-03-16' }],
    ['Saturday, 7 PM', { allDay: true, start: '2026-03-15', end: '2026-03-16' }],
  ] as const)('uses the time in the text: %s', ([eventDate, time]) => {
    const [sheet] = readRecords('signup', [{ ...day, ...item, eventDate }]).records
    expect(sheet && signUpRecipe.timeOf(sheet)).toEqual({ time, repair: undefined })
  })
})
