import { describe, expect, test } from 'vitest'
import {
  createEmergencyStore,
  emergencyItem,
  isOnScreen,
  parseEmergencyText,
  earlierPlaces,
} from '../../src/site/emergency-text.ts'
import { english } from '../../src/features/admin/messages/pages/en.ts'
import { readEmergencyForm } from '../../src/features/admin/screens-page.ts'
import { createLogger } from '../../src/log.ts'
import { concertoContents } from '../../src/signage/concerto.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const timeZone = 'America/New_York'

describe('while clocks are set back', () => {
  const form = {
    title: 'Gas leak',
    text: '',
    until: '2026-11-01T01:30',
    testedAt: '',
    places: earlierPlaces,
  }
  const readAt = (now: string) =>
    readEmergencyForm(form, timeZone, Date.parse(now), english.screens.faults)

  test.for([
    ['before', '2026-11-01T05:10:00Z'],
    ['after', '2026-11-01T05:50:00Z'],
  ])('a time that occurs twice means the last one, even %s the first one', ([, now = '']) => {
    const until = Date.parse('2026-11-01T06:30:00Z')
    expect(readAt(now)).toMatchObject({ ok: true, emergency: { until } })
  })

  test('an end is in the past after the last occurrence', () => {
    const faults = ['The end must be in the future.']
    expect(readAt('2026-11-01T06:30:00Z')).toEqual({ ok: false, faults })
  })

  test('items have the exact start and end of a stored text', () => {
    const [since, until] = ['2026-11-01T05:50:00Z', '2026-11-01T06:30:00Z'].map(Date.parse)
    const stored = JSON.stringify({ title: 'Gas leak', text: '', since, until })
    const text = parseEmergencyText(stored)
    const item = text && emergencyItem(text, { timeZone, language: 'en-US' })
    expect(item).toMatchObject({
      start: '2026-11-01T01:50:00',
      end: '2026-11-01T01:30:00',
      startAt: '2026-11-01T01:50:00-04:00',
      endAt: '2026-11-01T01:30:00-05:00',
    })
    const contents = concertoContents(item ? [item] : [], timeZone)
    expect(contents).toMatchObject([{ end_time: '2026-11-01T06:30:00.000Z' }])
  })
})

test('tells when a text ends, although the store does not change', async () => {
  const clock = createFakeClock()
  const log = createLogger('silent')
  const emergency = createEmergencyStore(openTestStore(clock.now), { clock, log })
  const since = clock.now()
  await emergency.show({
    title: 'Gas leak',
    text: '',
    since,
    until: since + 60_000,
    places: earlierPlaces,
  })
  let changes = 0
  emergency.onChange(() => (changes += 1))
  const stopping = new AbortController()
  const polling = emergency.poll(stopping.signal)
  await clock.advance(59_000)
  expect([emergency.current()?.title, changes]).toEqual(['Gas leak', 0])
  await clock.advance(3_000)
  expect([emergency.current(), changes]).toEqual([undefined, 1])
  stopping.abort()
  await polling
})

test('shows no text after its end, even if the store has not been read again', async () => {
  const clock = createFakeClock()
  const log = createLogger('silent')
  const emergency = createEmergencyStore(openTestStore(clock.now), { clock, log })
  const since = clock.now()
  await emergency.show({
    title: 'Gas leak',
    text: '',
    since,
    until: since + 60_000,
    places: earlierPlaces,
  })
  await clock.advance(59_999)
  expect(emergency.current()?.title).toBe('Gas leak')
  await clock.advance(1)
  expect(emergency.current()).toBeUndefined()
})

test('shows texts of earlier versions on screens and devices', () => {
  const text = parseEmergencyText(JSON.stringify({ title: 'x', text: '', since: 0, until: 1 }))
  expect(text?.places).toEqual(earlierPlaces)
})

const testAt = (testedAt: string) =>
  ({ title: 'Gas leak', text: '', since: 0, until: 1, places: [], testedAt }) as const

test.for([
  ['', undefined, true],
  ['', 'abcd', false],
  ['abcd', 'abcd', true],
  ['abcd', undefined, false],
] as const)('a test at "%s" is shown under link %s: %s', ([testedAt, linkId, isShown]) => {
  expect(isOnScreen(testAt(testedAt), linkId)).toBe(isShown)
})

test('boards say in their language that it is a test', () => {
  const titles = ['en-US', 'es'].map(
    (language) => emergencyItem(testAt(''), { timeZone, language }).title,
  )
  expect(titles).toEqual(['Test: Gas leak', 'Prueba: Gas leak'])
})
