import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { readSitesConfig } from '../../src/config/sites-config.ts'
import { databaseFeedsSchema, settingFrom } from '../../src/feeds/database-settings.ts'
import { faultsOf, siteEnvironment } from '../support/site-environment.ts'
import { ashton, environmentWith, milbrook } from '../support/sites-file.ts'

const read = (setting: string) => databaseFeedsSchema([]).parse(setting)

test('reads several databases, each with its title, date and fields', () => {
  const setting =
    'gear=2 title:{serial} {kind} date:retire fields:kind, size full:assigned name:Turnout gear; hydrants=1 title:Hydrant: {number}, test at 12:30'
  expect(read(setting)).toEqual([
    {
      id: 'gear',
      name: 'Turnout gear',
      databaseId: 2,
      title: '{serial} {kind}',
      date: 'retire',
      fields: ['kind', 'size'],
      fullFields: ['assigned'],
    },
    {
      id: 'hydrants',
      name: 'Hydrants',
      databaseId: 1,
      title: 'Hydrant: {number}, test at 12:30',
      date: undefined,
      fields: [],
      fullFields: [],
    },
  ])
})

test('is written the way it is read', () => {
  const setting =
    'gear=2 title:{serial} {kind} date:retire fields:kind,size full:assigned name:Turnout gear'
  expect(read(setting).map(settingFrom)).toEqual([setting])
  expect(read('gear=2 title:{serial}').map(settingFrom)).toEqual(['gear=2 title:{serial}'])
})

test('accepts one database per line', () => {
  expect(read('a=1 title:{x}\nb=2 title:{y};').map(({ id }) => id)).toEqual(['a', 'b'])
})

test('is read for the site, with the feeds that exist already', () => {
  const { site } = readConfig({ ...siteEnvironment, DATABASE_FEEDS: 'gear=2 title:{serial}' })
  expect(site?.databases?.map(({ id }) => id)).toEqual(['gear'])
})

test('is read for each of several sites', () => {
  const { environment } = environmentWith({
    ashton: { ...ashton, DATABASE_FEEDS: 'gear=2 title:{serial}' },
    milbrook: { ...milbrook, DATABASE_FEEDS: 'gear=2 titel:{serial}' },
  })
  const { sites, faulty } = readSitesConfig(environment)
  expect(sites.map(({ config }) => config.site.databases?.map(({ id }) => id))).toEqual([['gear']])
  expect(faulty[0]?.faults[0]).toContain('Site milbrook: DATABASE_FEEDS has an unknown part titel:')
})

const reserved = 'all my feeds agenda members board databases next county published news'.split(' ')

test.for<[setting: string, fault: string]>([
  [
    'gear 2 title:{serial}',
    'must be like gear=2 title:{serial} {kind} date:retire, not like gear 2.',
  ],
  ['gear=2 titel:{serial}', 'has an unknown part titel: (did you mean title:?) in the feed gear.'],
  [
    'gear=2 title:{serial} color:red',
    'has an unknown part color: (the parts are title: date: fields: full: name:) in the feed gear.',
  ],
  ['gear=2 title:{serial} date:retire date:bought', 'has more than one date: in the feed gear.'],
  [
    'gear=2 date:retire',
    'needs a title: with the name of a field in braces, like title:{serial}, in the feed gear.',
  ],
  ['gear=2 title:{serial} {kind', 'has a title with an unmatched brace in the feed gear.'],
  ...reserved.map((name): [string, string] => [
    `${name}=2 title:{serial}`,
    `cannot have a feed named “${name}”, which is a name in Feedhouse’s own URLs; choose another.`,
  ]),
  ['gear=2 title:{serial}; gear=3 title:{serial}', 'has more than one feed gear.'],
  ['gear=2 title:{serial}; tools=2 title:{serial}', 'has more than one feed for the database 2.'],
  [
    Array.from({ length: 21 }, (_, id) => `x${id}=${id + 1} title:{a}`).join(';'),
    'must have at most 20 databases.',
  ],
])('reports that %s is wrong', ([setting, fault]) => {
  const faults = faultsOf({ ...siteEnvironment, DATABASE_FEEDS: setting })
  expect(faults).toContain(`DATABASE_FEEDS ${fault}`)
})

test('rejects very many feeds in linear time', () => {
  const setting = Array.from({ length: 12_000 }, (_, id) => `x${id}=${id + 1} title:{a}`).join(';')
  const before = process.cpuUsage()
  const faults = faultsOf({ ...siteEnvironment, DATABASE_FEEDS: setting })
  expect(faults).toEqual(['DATABASE_FEEDS must have at most 20 databases.'])
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(1000)
})

test('requires a website', () => {
  expect(faultsOf({ DATABASE_FEEDS: 'gear=2 title:{serial}' })).toEqual([
    'DATABASE_FEEDS is set, but SITE_URL is not.',
  ])
})
