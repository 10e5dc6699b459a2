import type { Environment } from '../config/environment.ts'

/** How to run, start and restart Feedhouse, by `FEEDHOUSE_PLATFORM`. */
const platforms = new Map([
  [
    'systemd',
    {
      command: 'sudo feedhouse',
      start: 'sudo systemctl enable --now feedhouse',
      restart: 'run "sudo systemctl restart feedhouse"',
    },
  ],
  [
    'compose',
    {
      command: 'docker compose exec feedhouse-1 feedhouse',
      start: 'docker compose up -d',
      restart: 'run "docker compose up -d"',
    },
  ],
  [
    'container',
    {
      command: 'docker exec feedhouse feedhouse',
      start: 'start the container with these settings',
      restart: 'remove the container and run it again',
    },
  ],
])
const inAClone = { command: 'npx feedhouse', start: 'npm start', restart: 'restart it' }

/** Returns the instructions for this environment. `FEEDHOUSE_PLATFORM` is undefined in a clone. */
export function platformIn({ FEEDHOUSE_PLATFORM: name = '' }: Environment): typeof inAClone {
  return platforms.get(name) ?? inAClone
}
