import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/documentation.ts'
import { programIsMissing } from '../../support/programs.ts'
import { testDirectory } from '../../support/service.ts'

const jqIsMissing = programIsMissing('jq')

const uploads = [
  {
    file: 'assets/page.css',
    key: 'assets/page.css',
    contentType: 'text/css',
    cacheControl: 'max-age=1',
  },
  {
    file: 'events.ics',
    key: 'events.ics',
    contentType: 'text/calendar; charset=utf-8',
    cacheControl: 'max-age=300',
  },
  {
    file: 'news/12.html',
    key: 'news/12',
    contentType: 'text/html',
    cacheControl: 'public, max-age=300',
  },
]

/** Prepares an export and an `aws` command that records its arguments. */
function startUploads() {
  const directory = testDirectory()
  const at = (path: string) => join(directory, path)
  for (const path of ['bin', 'web/.feedhouse', 'web/assets', 'web/news']) {
    mkdirSync(at(path), { recursive: true })
  }
  for (const { file } of uploads) writeFileSync(at(`web/${file}`), 'x')
  writeFileSync(at('web/headers.json'), JSON.stringify(uploads))
  const aws = `#!/bin/sh\n[ "$3" != "$FAILS_AT" ] || exit 1\nprintf '%s|' "$@" >> "$TOLD"; echo >> "$TOLD"\n`
  writeFileSync(at('bin/aws'), aws, { mode: 0o755 })
  return {
    at,
    /** Returns the exit status and the arguments of each call to `aws`. */
    upload: (failsAt = '') => {
      rmSync(at('told'), { force: true })
      const args = [join(root, 'deploy/upload-to-s3.sh'), at('web'), 's3://feeds/']
      const PATH = `${at('bin')}:${process.env['PATH']}`
      const env = { PATH, TOLD: at('told'), FAILS_AT: failsAt }
      const { status } = spawnSync('sh', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
      const told = existsSync(at('told')) ? readFileSync(at('told'), 'utf8') : ''
      return { status, told: told.split('\n').filter((line) => line !== '') }
    },
  }
}

const toldOf = ({ file, key, contentType, cacheControl }: (typeof uploads)[number]) =>
  `s3|cp|${file}|s3://feeds/${key}|--content-type|${contentType}|--cache-control|${cacheControl}|`

test.skipIf(jqIsMissing)(
  'uploads every file in order, and later uploads only changed files',
  () => {
    const { at, upload } = startUploads()
    expect(upload()).toEqual({ status: 0, told: uploads.map(toldOf) })
    expect(upload()).toEqual({ status: 0, told: [] })
    const later = Date.now() / 1000 + 60
    utimesSync(at('web/events.ics'), later, later)
    expect(upload()).toEqual({ status: 0, told: uploads.slice(1, 2).map(toldOf) })
  },
)

test.skipIf(jqIsMissing)(
  'stops at the first failure, and uploads the remaining files on the next run',
  () => {
    const { upload } = startUploads()
    const { status, told } = upload('events.ics')
    expect(status).not.toBe(0)
    expect(told).toEqual(uploads.slice(0, 1).map(toldOf))
    expect(upload()).toEqual({ status: 0, told: uploads.map(toldOf) })
  },
)
