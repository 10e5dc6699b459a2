import type { IncomingMessage, Server } from 'node:http'
import { isIPv4 } from 'node:net'
import type { Duplex } from 'node:stream'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type Response,
} from 'express'
import { ApiError } from './api-error.ts'
import type { Answer, Call, DataService } from './data-service.ts'

/** Every answer of the data service is made for one call. */
const commonHeaders = { 'Cache-Control': 'no-store' }

/** Over HTTPS: the data service, and the parts of the website that stand beside it. */
export function createSecureApplication(
  service: DataService,
  website: readonly express.Router[],
): Express {
  const application = bareApplication()
  for (const router of website) application.use(router)
  answerCalls(application, service, { isSecure: true })
  return application
}

/** Over plain HTTP: refusals. */
export function createPlainApplication(service: DataService): Express {
  const application = bareApplication()
  answerCalls(application, service, { isSecure: false })
  return application
}

/** What Node cannot read as a request is answered as the service does, not with a bare status. */
export function answerUnreadable(server: Server, service: DataService): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const isAboutHttp = /^(?:HPE_|ERR_HTTP_)/.test(error.code ?? '')
    if (!isAboutHttp || !socket.writable) return void socket.destroy()
    const code = error.code === 'HPE_INVALID_METHOD' ? 'method_not_allowed' : 'invalid_parameter'
    socket.end(rawResponse(service.refuse(new ApiError(code), addressOf(socket))))
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.end(rawResponse(service.refuse(new ApiError('method_not_allowed'), addressOf(socket))))
  })
}

function bareApplication(): Express {
  const application = express()
  application.disable('x-powered-by')
  application.disable('etag')
  application.enable('strict routing')
  application.enable('case sensitive routing')
  application.set('query parser', false)
  return application
}

function answerCalls(
  application: Express,
  service: DataService,
  transport: Pick<Call, 'isSecure'>,
): void {
  application.use((request, response) => {
    send(response, service.answer({ ...callFrom(request), ...transport }))
  })
  const unexpected: ErrorRequestHandler = (error, request, response, next) => {
    if (response.headersSent) return next(error)
    send(response, service.refuse(error, addressOf(request.socket)))
  }
  application.use(unexpected)
}

function send(response: Response, { status, headers, body }: Answer): void {
  response.status(status).set({ ...commonHeaders, ...headers })
  response.json(body)
}

function callFrom(request: Request): Omit<Call, 'isSecure'> {
  const [, ...query] = request.originalUrl.split('?')
  return {
    method: request.method,
    path: request.path,
    query: query.join('?'),
    authorization: request.headersDistinct['authorization'] ?? [],
    address: addressOf(request.socket),
  }
}

function addressOf(socket: object): string {
  const address = 'remoteAddress' in socket ? String(socket.remoteAddress ?? '') : ''
  const ipv4 = address.replace(/^::ffff:/, '')
  return isIPv4(ipv4) ? ipv4 : address
}

function rawResponse({ status, headers, body }: Answer): string {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...headers,
    ...commonHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  const reason = 'error' in body ? String(body.error) : ''
  return [`HTTP/1.1 ${status} ${reason}`, ...lines, '', text].join('\r\n')
}
