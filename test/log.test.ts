import { expect, test } from 'vitest'
import { createLogger } from '../src/log.ts'

function linesOf(write: (log: ReturnType<typeof createLogger>) => void): readonly string[] {
  const lines: string[] = []
  write(createLogger('info', { write: (line) => lines.push(line) }))
  return lines
}

test.for(['token', 'accessToken', 'refreshToken', 'authorization', 'password', 'key'])(
  'redacts %s at the top level and one level deeper',
  (name) => {
    const [line = ''] = linesOf((log) =>
      log.info({ [name]: 'hush', site: { [name]: 'hush' } }, 'x'),
    )
    expect(line).not.toContain('hush')
    expect(JSON.parse(line)).toMatchObject({ [name]: '[secret]', site: { [name]: '[secret]' } })
  },
)

test('writes lines of JSON with level, time and message, and omits lower levels', () => {
  const lines = linesOf((log) => {
    log.debug('not shown')
    log.warn({ resource: 'news' }, 'shown')
  })
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      resource: 'news',
      msg: 'shown',
    },
  ])
})
