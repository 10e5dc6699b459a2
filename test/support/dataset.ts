import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { datasetFrom } from '../../src/sandbox/resources/resources.ts'
import { idsOf, startSandbox } from './sandbox.ts'
import { testDirectory } from './service.ts'

/** Starts a sandbox with the given records, in the format of dataset files. */
export async function startSandboxWith(records: Parameters<typeof datasetFrom>[0]) {
  const dataset = datasetFrom(records)
  const { get } = await startSandbox({ datasetOn: () => dataset })
  return {
    get,
    ids: async (path: string) => idsOf(await get(`/apps/api/${path}`)),
    bodyOf: async (path: string) => (await get(`/apps/api/${path}`)).body,
  }
}

/** Public event in the format of `events.json`. */
export const event = {
  id: 7,
  title: 'Drill',
  status: 2,
  startDate: '2026-03-10',
  endDate: '2026-03-10',
  allDay: 0,
  startTime: '7:00 PM',
}

/** Creates a dataset directory for one test. Writes values other than text or bytes as JSON. */
export function datasetDirectory(files: Readonly<Record<string, unknown>>) {
  const path = testDirectory()
  const write = (name: string, content: unknown) =>
    writeFileSync(
      join(path, name),
      typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content),
    )
  for (const [name, content] of Object.entries(files)) write(name, content)
  return { path, write }
}
