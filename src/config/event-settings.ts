import { parseWebhookSecrets, WEBHOOK_SECRET_RULE } from '../keys/webhook-signature.ts'
import { type EventType, eventTypes } from '../shared/event-types.ts'
import { isLoopback } from '../shared/open-url.ts'
import { type Environment, type Read, type Variables, variables } from './variables.ts'

/** Where events about people go, and which. */
export interface EventSettings {
  /** A secret. */
  readonly url: string
  readonly types: readonly EventType[]
  /** The secrets that sign: two while one is being changed. */
  readonly secrets: readonly Buffer[]
}

/** @returns `null` where none of them is set. */
export function readEvents({ read, mistake }: Variables, env: Environment): EventSettings | null {
  if (!['EVENTS_URL', 'EVENTS', 'EVENTS_SECRET'].some((name) => env[name]?.trim())) return null
  const types = read('EVENTS', '', parseTypes, TYPES_RULE)
  if (types && !types.includes('forgotten'))
    mistake(
      'EVENTS: must also have "forgotten", since a receiver that is told of people must hear when one is erased',
    )
  return {
    url: read('EVENTS_URL', '', (text) => parseHookUrl(text)?.href, URL_RULE),
    types,
    secrets: read('EVENTS_SECRET', '', parseSecrets, SECRET_RULE),
  }
}

/** What `events` reads. */
export function readEventSettings(env: Environment): Read<EventSettings> {
  const all = variables(env)
  const settings = readEvents(all, env)
  if (!settings) all.mistake('EVENTS_URL: is not set, so no events are sent: docs/events.md')
  return all.result(settings)
}

const TYPES_RULE = `some of ${eventTypes.join(',')}, with commas between them`
const URL_RULE =
  'one URL, https:// (or http:// on this machine) and without a user, a password or a #'
const SECRET_RULE = WEBHOOK_SECRET_RULE.replace('a space', 'a space or a comma')
const MOST_SECRETS = 2

const listed = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '')

function parseTypes(text: string): readonly EventType[] | undefined {
  const wanted = new Set(listed(text))
  const types = eventTypes.filter((one) => wanted.has(one))
  return types.length > 0 && types.length === wanted.size ? types : undefined
}

/** One that takes messages: https, or this machine itself, and with no name or password in it. */
export function parseHookUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.hash || /[\p{Cc}\s]/u.test(text)) return undefined
  const { protocol, hostname } = url
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)) ? url : undefined
}

function parseSecrets(text: string): readonly Buffer[] | undefined {
  const secrets = parseWebhookSecrets(listed(text).join(' '))
  return secrets && secrets.length <= MOST_SECRETS ? secrets : undefined
}
