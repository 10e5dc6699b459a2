import { readFileSync } from 'node:fs'

/** Of Feedhouse, by https://semver.org. */
export function version(): string {
  return JSON.parse(readFileSync(`${import.meta.dirname}/../package.json`, 'utf8')).version
}
