import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, totalmem } from 'node:os'

/** Hardware and software versions that affect the measurements. */
export type Machine = {
  readonly cpu: string
  readonly cores: number
  readonly memoryGib: number
  readonly versions: Readonly<Record<string, string>>
}

export function thisMachine(versions: Readonly<Record<string, string>>): Machine {
  const [first] = cpus()
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    versions: { node: process.versions.node, ...versions },
  }
}

/** Returns the version of an installed package. */
export function packageVersion(name: string): string {
  const file = createRequire(import.meta.url).resolve(`${name}/package.json`)
  return JSON.parse(readFileSync(file, 'utf8')).version
}

export function machineText({ cpu, cores, memoryGib, versions }: Machine): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `${cpu}, ${cores} cores, ${memoryGib} GiB; ${named.join(', ')}`
}
