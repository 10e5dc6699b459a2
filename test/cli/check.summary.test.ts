import { expect, test } from 'vitest'
import { checkSummary } from '../../src/cli/check.ts'

test.for([
  { platform: undefined, start: 'npm start', restart: 'restart it' },
  { platform: 'constructor', start: 'npm start', restart: 'restart it' },
  {
    platform: 'systemd',
    start: 'sudo systemctl enable --now feedhouse',
    restart: 'run "sudo systemctl restart feedhouse"',
  },
  { platform: 'compose', start: 'docker compose up -d', restart: 'run "docker compose up -d"' },
  {
    platform: 'container',
    start: 'start the container with these settings',
    restart: 'remove the container and run it again',
  },
])('suggests starting the service with $start on $platform', ({ platform, start, restart }) => {
  const environment = { FEEDHOUSE_PLATFORM: platform }
  const next = checkSummary([], 'https://feeds.example.org', environment, false).at(-1)
  expect(next).toMatch(/^Next: /)
  expect(next).toContain(`Next: ${start}, then open https://feeds.example.org/ and `)
  expect(next).toContain(`; ${restart} after changing any other setting.`)
})

test('does not suggest starting a service that is running', () => {
  expect(checkSummary([], 'https://feeds.example.org', {}, true).at(-1)).toBe(
    'Next: open https://feeds.example.org/ and https://feeds.example.org/status. Feedhouse is running, and picks this up automatically, including a new token in SITE_REFRESH_TOKEN_FILE; restart it after changing any other setting.',
  )
})
