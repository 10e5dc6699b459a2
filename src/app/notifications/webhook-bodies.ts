import type { WebhookKind } from '../../config/notification-settings.ts'
import { boundedLines, cut, messagesFor, type Notice } from './notice.ts'

/** Limits for a Slack header and section (https://docs.slack.dev/reference/block-kit/blocks). */
const maxSlackTitle = 150
const maxSlackSection = 2_900

/** Limits for a Discord embed (https://docs.discord.com/developers/resources/message). */
const maxDiscordTitle = 256
const maxDiscordText = 3_900

/** Teams accepts messages of up to 28 KB, including its own additions. */
const maxTeamsText = 12_000

/** Returns the JSON document for a service. Truncates text that exceeds its limits. */
export function webhookBody(kind: WebhookKind, notice: Notice): object {
  return bodies[kind](notice)
}

const bodies = { slack: slackBody, discord: discordBody, teams: teamsBody, json: jsonBody }

function slackBody(notice: Notice) {
  const short = cut(fullTitle(notice), maxSlackTitle)
  const lines = linesUpTo(maxSlackSection, notice, slackText, slackLink)
  return {
    text: slackText(short),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: short, emoji: false } },
      ...(lines === '' ? [] : [slackSection(lines)]),
      slackSection(slackLink(notice.url, messagesFor(notice).openFeedhouse)),
    ],
  }
}

function slackSection(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text } }
}

function fullTitle(notice: Notice): string {
  return messagesFor(notice).titled(notice.siteName, notice.title)
}

/** Prevents mentions, links and formatting. */
function slackText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*~`]/g, (mark) => `${mark}\u200B`)
}

function slackLink(url: string, text: string): string {
  return `<${encoded(url).replaceAll('&', '&amp;')}|${slackText(text).replaceAll('|', '¦')}>`
}

function discordBody(notice: Notice) {
  const { url, at } = notice
  const title = fullTitle(notice)
  const description = linesUpTo(maxDiscordText, notice, discordText, (linkUrl, text) => {
    return `[${discordText(text)}](<${encoded(linkUrl)}>)`
  })
  return {
    username: 'Feedhouse',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(title, maxDiscordTitle),
        url,
        timestamp: new Date(at).toISOString(),
        ...(description === '' ? {} : { description }),
      },
    ],
  }
}

function discordText(text: string): string {
  return text.replaceAll(/[\\*_~`|>[\]()#-]/g, (mark) => `\\${mark}`)
}

function teamsBody(notice: Notice) {
  const { url } = notice
  const title = fullTitle(notice)
  const lines = linesUpTo(maxTeamsText, notice, teamsText, (linkUrl, text) => {
    return `[${teamsText(text)}](${encoded(linkUrl)})`
  })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    body: [
      teamsBlock(teamsText(cut(title, maxDiscordTitle)), { weight: 'Bolder', size: 'Medium' }),
      ...lines.split('\n').flatMap((line) => (line === '' ? [] : [teamsBlock(line)])),
    ],
    actions: [{ type: 'Action.OpenUrl', title: messagesFor(notice).openFeedhouse, url }],
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

function teamsBlock(text: string, more: object = {}) {
  return { type: 'TextBlock', text, wrap: true, ...more }
}

function teamsText(text: string): string {
  return text.replaceAll(/[\\*_[\]()`#~]/g, (mark) => `\\${mark}`)
}

/** Follows Standard Webhooks (https://www.standardwebhooks.com). */
function jsonBody(notice: Notice) {
  const { type, at, siteName, title, url, data } = notice
  const text = boundedLines(notice).map((line) => line.text)
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: { site: siteName, title, text, url, ...data },
  }
}

/** Percent-encodes characters that end a URL in one of the formats. */
function encoded(url: string): string {
  return url.replaceAll(
    /[\s<>()|]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

function linesUpTo(
  maxLength: number,
  notice: Pick<Notice, 'lines' | 'language'>,
  renderText: (text: string) => string,
  renderLink: (url: string, text: string) => string,
): string {
  let shown = ''
  for (const { text, url } of boundedLines(notice)) {
    const line = text.replaceAll('\n', ' ')
    const rendered = url === undefined ? renderText(line) : renderLink(url, line)
    const next = shown === '' ? rendered : `${shown}\n${rendered}`
    if (next.length > maxLength) return `${shown}\n…`
    shown = next
  }
  return shown
}
