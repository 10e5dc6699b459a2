import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import { messageOf } from './dataset-message.ts'
import { repeatsIn } from './resources/repeated-values.ts'
import { resources, type ResourceName } from './resources/resources.ts'

const largestFileBytes = 64 * 1024 * 1024
const maxFaults = 20

export type Reading =
  | { readonly ok: true; readonly records: readonly unknown[] }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Reads a resource's dataset file. Each error is a sentence with the file, index and field. */
export function readDatasetFile(path: string, name: ResourceName): Reading {
  const file = basename(path)
  const text = readText(path)
  if (!text.ok) return { ok: false, faults: [`${file}: ${text.fault}.`] }
  const parsed = parse(text.text)
  if (!parsed.ok) return { ok: false, faults: [`${file}: ${parsed.fault}.`] }
  const { records } = parsed
  const checked = z.array(resources[name].record).safeParse(records, { error: messageOf })
  const faults = checked.success ? repeatedIdsOf(name, records) : checked.error.issues
  if (faults.length === 0 && checked.success) return { ok: true, records: checked.data }
  return { ok: false, faults: sentencesFrom(faults, { file, records }) }
}

type Fault = { readonly path: readonly PropertyKey[]; readonly message: string }

function readText(path: string) {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return { ok: false, fault: 'not a file' } as const
    if (stats.size > largestFileBytes) {
      return { ok: false, fault: `larger than ${largestFileBytes} bytes` } as const
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    return { ok: true, text } as const
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const isEncoding = code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    return { ok: false, fault: isEncoding ? 'not UTF-8 text' : `cannot be read (${code})` } as const
  }
}

function parse(text: string) {
  try {
    const records: unknown = JSON.parse(text, withoutNull)
    if (Array.isArray(records)) return { ok: true, records: records as unknown[] } as const
    return { ok: false, fault: 'not a JSON array of records' } as const
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : ''
    return { ok: false, fault: `not JSON: ${reason}` } as const
  }
}

/** Converts null, which many programs write for missing values, to undefined. */
function withoutNull(_key: string, value: unknown): unknown {
  return value ?? undefined
}

/** Finds duplicate ids. Ids of training records must be unique only within their type. */
function repeatedIdsOf(name: ResourceName, records: readonly unknown[]): readonly Fault[] {
  const keys = records.map((record) => {
    const { id, type } = record as { readonly id: number; readonly type?: string }
    return name === 'training' ? `${type} ${id}` : id
  })
  return repeatsIn(keys).map(({ index, first }) => ({
    path: [index, 'id'],
    message: `same id as index ${first}`,
  }))
}

function sentencesFrom(
  faults: readonly Fault[],
  { file, records }: { readonly file: string; readonly records: readonly unknown[] },
): readonly string[] {
  const sentences = faults.slice(0, maxFaults).map(({ path: [index, ...field], message }) => {
    const record = records[Number(index)]
    const id =
      record instanceof Object && 'id' in record ? ` (id ${JSON.stringify(record.id)})` : ''
    const where = [
      `index ${String(index)}${id}`,
      ...(field.length > 0 ? [field.map(String).join('.')] : []),
    ]
    return `${file}, ${where.join(', ')}: ${message}.`
  })
  const more = faults.length - sentences.length
  return more > 0 ? [...sentences, `${file} has ${more} more errors.`] : sentences
}
