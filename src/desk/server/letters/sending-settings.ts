import { resolveTxt } from 'node:dns/promises'
import type { RecipientSelection } from '../../../announcement/run-options.ts'
import { parseRate, RATE_RULE, USUAL_RATE } from '../../../announcement/sending/rate.ts'
import {
  DNS_SERVER_RULE,
  parseDnsServer,
  parseFirst,
} from '../../../announcement/sending/sending-numbers.ts'
import { type LetterStage, letterStages, ONE_PER_CENT } from '../../../shared/letter-stages.ts'
import { say } from '../../../shared/say.ts'
import type { SendingSettings } from '../../contract/letters.ts'
import type { Fields } from '../fields.ts'
import { isLetterName } from './letter-folder.ts'

export const usualSettings: SendingSettings = {
  rate: String(USUAL_RATE.letters),
  dkimSelector: '',
  dnsServer: '',
  alsoWhoGot: [],
}

/**
 * Reads from the fields of a form how a letter is sent. @returns the settings, and the mistakes.
 */
export function readSending(fields: Fields) {
  const text = (name: string) => fields(name).trim()
  const settings: SendingSettings = {
    rate: text('rate') || usualSettings.rate,
    dkimSelector: text('dkimSelector'),
    dnsServer: text('dnsServer'),
    alsoWhoGot: fields.all('alsoWhoGot').filter(isLetterName),
  }
  const rate = parseRate(settings.rate)
  const { dnsServer, dkimSelector } = settings
  const lookUp = dnsServer === '' ? resolveTxt : parseDnsServer(dnsServer)
  const isSelector = /^([A-Za-z0-9][A-Za-z0-9._-]{0,62})?$/.test(dkimSelector)
  const mistakes = [
    rate === undefined && say('Rate: must be {rule}.', { rule: say(RATE_RULE) }),
    !lookUp && say('DNS server: must be {rule}.', { rule: say(DNS_SERVER_RULE) }),
    !isSelector && say('DKIM selector: must be letters, digits, hyphens, dots and underscores.'),
  ].filter((mistake) => mistake !== false)
  return {
    settings,
    mistakes,
    rate: rate ?? USUAL_RATE,
    resolveTxt: lookUp ?? resolveTxt,
  }
}

/** The options by which the command goes on in spite of just these problems. */
export const overriding = (keys: readonly string[]) =>
  [...new Set(keys)].map((key) => `--force-problem=${key}`)

/** The same as options of the command; each in one word, so that no value can be an option. */
export function asOptions(settings: SendingSettings): string[] {
  const { rate, dkimSelector, dnsServer, alsoWhoGot } = settings
  return [
    `--rate=${rate}`,
    ...(dkimSelector ? [`--dkim-selector=${dkimSelector}`] : []),
    ...(dnsServer ? [`--dns-server=${dnsServer}`] : []),
    ...alsoWhoGot.map((name) => `--also-who-got=${name}`),
  ]
}

/** The settings of a run, from the arguments in its log. */
export function fromOptions(args: readonly string[]): SendingSettings {
  const values = (name: string) =>
    args.flatMap((arg) => (arg.startsWith(`--${name}=`) ? [arg.slice(name.length + 3)] : []))
  return {
    rate: values('rate')[0] ?? usualSettings.rate,
    dkimSelector: values('dkim-selector')[0] ?? '',
    dnsServer: values('dns-server')[0] ?? '',
    alsoWhoGot: values('also-who-got'),
  }
}

export function isStage(text: unknown): text is LetterStage {
  return typeof text === 'string' && Object.hasOwn(letterStages, text)
}

/** The recipients of a stage. */
export function selectionOf(
  id: string,
  stage: LetterStage,
  also: readonly string[],
): RecipientSelection {
  const selection = { id, ...(also.length > 0 && { alsoWhoGot: also }) }
  if (stage === 'newcomers') return { ...selection, includeNew: true }
  if (stage === 'one-per-cent') return { ...selection, first: parseFirst(ONE_PER_CENT) }
  return stage === 'everyone' ? selection : { ...selection, retry: stage }
}
