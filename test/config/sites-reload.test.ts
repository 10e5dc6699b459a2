import { expect, test } from 'vitest'
import { createSitesReload } from '../../src/config/sites-reload.ts'
import { ConfigError } from '../../src/config/config-error.ts'
import type { SitesConfig } from '../../src/config/sites-config.ts'
import { createLogger } from '../../src/log.ts'

/** Parses names of sites, separated by spaces. A name that ends in `!` has an error. */
function parse(text: string): SitesConfig {
  if (text === 'broken') throw new ConfigError(['sites.json is not valid JSON.'])
  const names = text.split(' ')
  const faulty = names
    .filter((name) => name.endsWith('!'))
    .map((name) => ({ name, publicUrl: undefined, faults: [`Site ${name} has a fault.`] }))
  return { text, faulty, sites: names.map((name) => ({ name })) } as unknown as SitesConfig
}

/** A sites file that the test edits, and the versions of it that were reported. */
function editedFile(first: string) {
  let text = first
  const passedOn: string[] = []
  const lines: string[] = []
  const reload = createSitesReload(parse(first), {
    readText: () => text,
    parse,
    changed: (sites) => passedOn.push(sites.text),
    log: createLogger('error', { write: (line) => lines.push(JSON.parse(line).msg) }),
  })
  const edit = (edited: string) => {
    text = edited
    reload.check()
  }
  return { reload, edit, passedOn, lines }
}

test('reports a changed file once', () => {
  const { reload, edit, passedOn } = editedFile('ashton')
  reload.check()
  edit('ashton milbrook')
  reload.check()
  expect(passedOn).toEqual(['ashton milbrook'])
})

test('reports an unchanged file if asked to, because files that it names may have changed', () => {
  const { reload, passedOn } = editedFile('ashton')
  reload.check(true)
  expect(passedOn).toEqual(['ashton'])
})

test('says once why a changed file is not used, until it is corrected', () => {
  const { reload, edit, passedOn, lines } = editedFile('ashton')
  edit('broken')
  reload.check()
  expect(reload.faults()).toEqual(['sites.json is not valid JSON.'])
  expect(lines).toEqual(['the sites file is not used: sites.json is not valid JSON.'])
  expect(passedOn).toEqual([])
  edit('ashton')
  expect(reload.faults()).toEqual([])
  edit('ashton cedar')
  expect(passedOn).toEqual(['ashton cedar'])
})

test('uses none of the changes if one site has a new fault', () => {
  const { reload, edit, passedOn } = editedFile('ashton cedar!')
  edit('ashton cedar! milbrook dover!')
  expect(reload.faults()).toEqual(['Site dover! has a fault.'])
  expect(passedOn).toEqual([])
  edit('ashton cedar! milbrook')
  expect(passedOn).toEqual(['ashton cedar! milbrook'])
})
