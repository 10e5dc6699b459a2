import { readdirSync, readFileSync } from 'node:fs'

/** Exits unless this is Linux, where `/proc` has CPU times in nanoseconds. */
export function requireLinux(): void {
  if (process.platform === 'linux') return
  process.stderr.write(
    'This benchmark only runs on Linux, because it reads CPU time and memory from /proc.\n',
  )
  process.exit(1)
}

/** Returns the CPU time of a process and its children, in microseconds. */
export function cpuUs(pid: number): number {
  return totalOf(pid, (each) => tasksOf(each).reduce((sum, task) => sum + taskUs(task), 0))
}

/** Returns the CPU time of a process's main thread, in microseconds. */
export function mainThreadUs(pid: number): number {
  return taskUs(`/proc/${pid}/task/${pid}`)
}

function taskUs(task: string): number {
  const [nanoseconds] = readFileSync(`${task}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1000
}

/** Returns the resident memory of a process and its children. */
export function residentMib(pid: number): number {
  return totalOf(pid, (each) => {
    const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${each}/status`, 'utf8')) ?? []
    return Number(kib) / 1024
  })
}

/**
 * Returns the memory of a process and of each of its children, in MiB. Memory that processes share is
 * divided among them (PSS).
 */
export function proportionalMib(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const [, kib] = /^Pss:\s+(\d+) kB/m.exec(text) ?? []
  return [Number(kib) / 1024, ...childrenOf(pid).flatMap(proportionalMib)]
}

/** Returns the ids of a process's children. */
export function childrenOf(pid: number): readonly number[] {
  return tasksOf(pid).flatMap((task) =>
    readFileSync(`${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

function totalOf(pid: number, figureOf: (pid: number) => number): number {
  return childrenOf(pid).reduce((sum, child) => sum + totalOf(child, figureOf), figureOf(pid))
}

function tasksOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`)
}
