/** Whether the website shows a record; one without a status, like a rental booking, always counts. */
export function isOnline(record: {
  /** What all records have; TypeScript takes no type of optional properties alone. */
  readonly id: number
  readonly status?: string
  readonly deployed?: boolean
}): boolean {
  return (record.status ?? 'online') === 'online' && (record.deployed ?? true)
}
