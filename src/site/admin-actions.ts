import type { LinkService } from '../links/link-service.ts'
import type { DatabaseSample } from '../records/custom-database.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { SettingsStore } from './settings-store.ts'
import type { EmergencyEditor } from './emergency-text.ts'
import type { Documents } from '../store/store.ts'

export type DatabaseReading<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string }

/** Reads custom databases from the website, for the form that creates their settings. */
export type DatabaseReader = {
  readonly list: () => Promise<DatabaseReading<readonly RecordOf['databases'][]>>
  readonly sample: (database: RecordOf['databases']) => Promise<DatabaseReading<DatabaseSample>>
}

/** Reads the members with their contact data from the website. */
export type RosterReader = () => Promise<DatabaseReading<readonly RecordOf['members/contacts'][]>>

/** A receiver of alerts or changes. Times are in milliseconds since the epoch. */
type MessageChannel = {
  readonly label: string
  readonly purpose: 'alerts' | 'changes'
  readonly lastSuccessAt?: number | undefined
  /** Undefined if the latest message was delivered. */
  readonly failure?: { readonly at: number; readonly reason: string } | undefined
}

/** Actions for messages to operators. All of them reject with a `StoreError` if the store is down. */
export type MessageActions = {
  readonly channels: () => Promise<readonly MessageChannel[]>
  readonly sendTest: () => Promise<void>
  readonly refreshTokenAge: () => Promise<{
    readonly createdAt: number
    /** True until someone enters the date. */
    readonly isEstimate: boolean
  }>
  readonly setRefreshTokenCreation: (createdAt: number) => Promise<void>
}

export type AdminActions = {
  readonly links: LinkService
  readonly settings: SettingsStore
  readonly databases: DatabaseReader
  readonly readRoster: RosterReader
  readonly messages: MessageActions
  readonly emergency: EmergencyEditor
  readonly password: string
  /** False if `PUBLIC_URL` is not set. The public URL is then the URL that the server listens on. */
  readonly isPublicUrlSet: boolean
  /** Stores the sessions, which persist across restarts. */
  readonly documents: Documents
  /** Returns the number of API calls in each of the last 24 hours, most recent last. */
  readonly callsPerHour: () => Promise<readonly number[]>
}
