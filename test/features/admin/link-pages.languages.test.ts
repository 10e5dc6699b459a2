import { expect, test } from 'vitest'
import { adminEnvironment, createAdmin, newLinkForm } from '../../support/admin.ts'
import { startTestService } from '../../support/service.ts'

test.for([
  ['en-US', '', ['Your calendar and news', 'Keep it to yourself. Works until Jun 30, 2027.']],
  ['es-US', ' lang="es-US"', ['Para usted: calendario y noticias', 'Válido hasta el 30 jun 2027.']],
  [
    'fr-CA',
    ' lang="fr-CA"',
    ['Pour vous\u202F: calendrier et nouvelles', 'Valable jusqu’au 30 juin 2027.'],
  ],
  ['de-DE', ' lang="de-DE"', ['Für Sie: Kalender und Neuigkeiten', 'Gültig bis 30. Juni 2027.']],
] as const)(
  'prints cards in the language of the website, even from a page in English: %s',
  async ([language, lang, texts]) => {
    await using service = await startTestService({ environment: adminEnvironment, language })
    const { submit } = await createAdmin(service.url).signIn()
    const { text } = await submit('/admin/links?lang=en', newLinkForm({ expires: '2027-06-30' }))
    const [, attributes, card] = /<ul class="cards">\s*<li([^>]*)>([^]*?)<\/li>/.exec(text) ?? []
    expect(attributes).toBe(lang)
    for (const each of texts) expect(card).toContain(each)
    expect(text).toContain('Business cards, eight on a sheet')
  },
)

test('finds links to all feeds in the language of the page', async () => {
  await using service = await startTestService({ environment: adminEnvironment })
  const { submit, see } = await createAdmin(service.url).signIn()
  await submit('/admin/links', newLinkForm({ label: 'Capt. Reyes' }))
  expect(await see('/admin?lang=de&q=alle+inhalte')).toContain('Capt. Reyes')
  expect(await see('/admin?lang=fr&q=tout+le+contenu')).toContain('Capt. Reyes')
  expect(await see('/admin?lang=de&q=all+feeds')).not.toContain('Capt. Reyes')
})
