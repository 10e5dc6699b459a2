import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { blocksOf, documentOf } from '../../support/documentation.ts'
import { lists } from '../../support/documented-commands.ts'
import { settingsFor } from '../../support/sandbox.ts'
import { openShell, unexpectedResults } from '../../support/shell.ts'

test('the commands in docs/sites.md run for the site that they name', async () => {
  await using sandbox = await createSandbox()
  await using shell = openShell({ SITES_FILE: 'sites.json' })
  const { SITE_URL, SITE_REFRESH_TOKEN, SITE_CA_FILE } = settingsFor(sandbox)
  const block = blocksOf(documentOf('docs/sites.md')).find(({ language }) => language === 'json')
  const sites = JSON.parse((block?.lines ?? []).join('\n'))
  Object.assign(sites.ashton, { SITE_URL, SITE_CA_FILE, SITE_TIME_ZONE: sandbox.timeZone })
  const files = {
    'sites.json': JSON.stringify(sites),
    'ashton.token': SITE_REFRESH_TOKEN,
    'milbrook.token': 'x',
    'dover.token': 'y',
    'milbrook.password': 'correct horse battery',
  }
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(shell.directory, file), text)
  }
  expect(await unexpectedResults(shell, lists.withSeveralSites)).toEqual([])
})
