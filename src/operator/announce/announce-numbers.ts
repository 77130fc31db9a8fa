import { Resolver } from 'node:dns/promises'
import { InvalidArgumentError } from 'commander'
import type { ResolveTxt } from '../../announcement/preflight/sender-records.ts'
import {
  EVERY_RULE,
  parseEvery,
  parseWaves,
  WAVES_RULE,
  type WavePlan,
} from '../../announcement/waves/wave-plan.ts'

/** `--rate`: messages a second. @throws InvalidArgumentError */
export function readRate(text: string): number {
  const rate = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && rate >= 0.01 && rate <= 1000) return rate
  throw new InvalidArgumentError('Must be a number from 0.01 to 1000.')
}

/** `--first`: of those who are eligible, how many. @throws InvalidArgumentError */
export function readFirst(text: string): (eligible: number) => number {
  const share = readShareOrNothing(text)
  if (share !== undefined) return (eligible) => Math.ceil(eligible * share)
  if (/^[1-9]\d{0,8}$/.test(text)) return () => Number(text)
  throw new InvalidArgumentError('Must be a number, such as 50, or a share, such as 1%.')
}

/** `--stop-share`: from 0 to 1. @throws InvalidArgumentError */
export function readShare(text: string): number {
  const share = readShareOrNothing(text)
  if (share !== undefined) return share
  throw new InvalidArgumentError('Must be a share, such as 5%.')
}

/** `--waves`. @throws InvalidArgumentError */
export function readWaves(text: string): WavePlan {
  const plan = parseWaves(text)
  if (plan) return plan
  throw new InvalidArgumentError(`Must be ${WAVES_RULE}.`)
}

/** `--every`, in milliseconds. @throws InvalidArgumentError */
export function readEvery(text: string): number {
  const everyMs = parseEvery(text)
  if (everyMs !== undefined) return everyMs
  throw new InvalidArgumentError(`Must be ${EVERY_RULE}.`)
}

/** `--dns-server`: looks up there instead of where the system does. @throws InvalidArgumentError */
export function readDnsServer(text: string): ResolveTxt {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 })
  try {
    resolver.setServers([text])
  } catch {
    throw new InvalidArgumentError('Must be an IP address, such as 1.1.1.1 or 127.0.0.1:5353.')
  }
  return (name) => resolver.resolveTxt(name)
}

function readShareOrNothing(text: string): number | undefined {
  const share = /^(\d{1,3}(\.\d+)?)%$/.exec(text)?.[1]
  return share === undefined || Number(share) > 100 ? undefined : Number(share) / 100
}
