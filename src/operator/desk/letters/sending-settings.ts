import { resolveTxt } from 'node:dns/promises'
import { InvalidArgumentError } from 'commander'
import type { ResolveTxt } from '../../../announcement/preflight/sender-records.ts'
import type { SendingSettings } from '../../../shared/desk-letters.ts'
import { readDnsServer, readRate, readShare } from '../../announce/announce-numbers.ts'
import { isLetterName } from './letter-folder.ts'

export const usualSettings: SendingSettings = {
  rate: '10',
  stopShare: '5%',
  dkimSelector: '',
  dnsServer: '',
  alsoWhoGot: [],
}

/** What the fields of a form say of how it is sent, and what is wrong with them. */
export function readSending(fields: Readonly<Record<string, unknown>>) {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name].trim() : '')
  const also = [fields.alsoWhoGot ?? []].flat().map(String).filter(isLetterName)
  const settings: SendingSettings = {
    rate: text('rate') || usualSettings.rate,
    stopShare: text('stopShare') || usualSettings.stopShare,
    dkimSelector: text('dkimSelector'),
    dnsServer: text('dnsServer'),
    alsoWhoGot: also,
  }
  const mistakes: string[] = []
  const rate = read('Messages a second', () => readRate(settings.rate), mistakes) ?? 0
  read('Stop when more than that fails', () => readShare(settings.stopShare), mistakes)
  const lookUp: ResolveTxt | undefined = settings.dnsServer
    ? read('DNS server', () => readDnsServer(settings.dnsServer), mistakes)
    : resolveTxt
  if (settings.dkimSelector && !/^[A-Za-z0-9]([A-Za-z0-9._-]{0,62})$/.test(settings.dkimSelector))
    mistakes.push('DKIM selector: must be letters, digits, hyphens, dots and underscores.')
  return { settings, mistakes, rate, resolveTxt: lookUp ?? resolveTxt }
}

function read<T>(label: string, work: () => T, mistakes: string[]): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    mistakes.push(`${label}: ${error.message}`)
    return undefined
  }
}

/** The same as options of the command; each in one word, so that no value can be an option. */
export function asOptions(settings: SendingSettings): string[] {
  const { rate, stopShare, dkimSelector, dnsServer, alsoWhoGot } = settings
  return [
    `--rate=${rate}`,
    `--stop-share=${stopShare}`,
    ...(dkimSelector ? [`--dkim-selector=${dkimSelector}`] : []),
    ...(dnsServer ? [`--dns-server=${dnsServer}`] : []),
    ...alsoWhoGot.map((name) => `--also-who-got=${name}`),
  ]
}

/** What a run was told, as it stands in its log. */
export function fromOptions(args: readonly string[]): SendingSettings {
  const values = (name: string) =>
    args.flatMap((arg) => (arg.startsWith(`--${name}=`) ? [arg.slice(name.length + 3)] : []))
  return {
    rate: values('rate')[0] ?? usualSettings.rate,
    stopShare: values('stop-share')[0] ?? usualSettings.stopShare,
    dkimSelector: values('dkim-selector')[0] ?? '',
    dnsServer: values('dns-server')[0] ?? '',
    alsoWhoGot: values('also-who-got'),
  }
}
