import { z } from 'zod'
import { UpstreamError, serviceErrorCodes } from './upstream-error.ts'
import type { Answer } from './connection.ts'

const failureSchema = z.object({ code: z.enum(serviceErrorCodes), message: z.string().catch('') })

const tokenSchema = z.object({
  endpoint: z.literal('refresh'),
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
})

const pageSchema = z.object({
  endpoint: z.string(),
  startRow: z.number().int().positive(),
  totalCount: z.number().int().nonnegative(),
  items: z.array(z.unknown()),
})

export type Page = z.infer<typeof pageSchema>

/** The envelope of a data endpoint, or the error that the answer stands for. */
export function pageFrom(answer: Answer, endpoint: string): Page {
  const page = bodyOf(answer, endpoint, pageSchema)
  if (page.endpoint !== endpoint) {
    throw new UpstreamError('unexpected_answer', `${endpoint}: the answer is of another endpoint`)
  }
  return page
}

export function accessTokenFrom(answer: Answer): { token: string; lifetimeMs: number } {
  const body = bodyOf(answer, 'token request', tokenSchema)
  return { token: body.access_token, lifetimeMs: body.expires_in * 1000 }
}

function bodyOf<T>(answer: Answer, endpoint: string, schema: z.ZodType<T>): T {
  if (answer.status !== 200) throw errorFrom(answer, endpoint)
  const result = schema.safeParse(answer.body)
  if (result.success) return result.data
  const where = result.error.issues[0]?.path.join('.') || 'body'
  throw new UpstreamError(
    'unexpected_answer',
    `${endpoint}: not an answer of the service (${where})`,
  )
}

function errorFrom(answer: Answer, endpoint: string): UpstreamError {
  const { status, retryAfterMs } = answer
  const failure = failureSchema.safeParse(answer.body)
  return failure.success
    ? new UpstreamError(failure.data.code, `${endpoint}: ${status} ${failure.data.code}`, {
        retryAfterMs,
      })
    : new UpstreamError(
        'unexpected_answer',
        `${endpoint}: status ${status} without an error code`,
        {
          retryAfterMs,
        },
      )
}
