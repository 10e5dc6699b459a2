import { expect, test } from 'vitest'
import { previewEntries } from '../../../src/features/admin/preview-page.ts'
import { sharedAdmin } from '../../support/admin.ts'

const { admin } = sharedAdmin()

const entry = {
  recordId: 1,
  title: 'Drill',
  time: { start: '2026-03-05T19:00', end: undefined, allDay: false },
  location: 'Station 1',
  source: 'events',
  text: 'Bring gloves.',
}

test('marks the title, place and lines that the lower profile does not show', () => {
  const full = { ...entry, title: 'Drill: Reyes', text: 'Bring gloves.\n\nContact: Reyes' }
  expect(previewEntries({ entries: [full] }, { entries: [entry] })).toEqual([
    {
      time: entry.time,
      isExtra: false,
      title: { text: 'Drill: Reyes', isExtra: true },
      location: { text: 'Station 1', isExtra: false },
      lines: [
        { text: 'Bring gloves.', isExtra: false },
        { text: '', isExtra: false },
        { text: 'Contact: Reyes', isExtra: true },
      ],
    },
  ])
})

test('marks entries that the lower profile does not have, as a whole', () => {
  const shown = { entries: [entry, { ...entry, recordId: 2 }] }
  const marks = (lower: Parameters<typeof previewEntries>[1]) =>
    previewEntries(shown, lower).map(({ isExtra, title }) => [isExtra, title.isExtra])
  expect(marks({ entries: [entry] }).flat()).toEqual([false, false, true, false])
  expect(marks(undefined).flat()).toEqual([true, false, true, false])
})

test('previews exactly the content that each profile may see', async () => {
  const { cookie, see } = await admin().signIn()
  const preview = (profile: string) => see(`/admin/preview/${profile}`)
  expect(await preview('full')).toContain('Harriet Bloom')
  expect(await preview('members')).not.toContain('Harriet Bloom')
  expect(await preview('public')).not.toContain('Harriet Bloom')
  expect(await preview('full')).toMatch(/<mark>[^<]*Harriet Bloom/)
  expect(await preview('public')).not.toContain('<mark')
  // Nobody uses the documents, so they are not read for the preview.
  expect(await preview('full')).not.toContain('Documents')
  expect((await admin().visit('/admin/preview/nobody', { cookie })).status).toBe(404)
})
