import { settings } from '../../config/settings.ts'
import places from '../../shared/places.json' with { type: 'json' }
import { parsePublicUrl } from '../../shared/public-url.ts'
import { queryOf, sourceName } from '../../shared/source.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { columns } from '../../terminal/words.ts'
import { run, setting } from '../run.ts'

export interface LinksOptions {
  /** Where visitors find the page; empty where it is not set. */
  readonly url: string
  readonly campaign?: string | undefined
  /** Names of further places. */
  readonly places?: readonly string[]
  readonly json?: boolean
}

/** `links`: a link for each place where the founder posts, so that `status` can tell them apart. */
export async function links(options: LinksOptions, out: Out) {
  const given = options.places ?? []
  // The address may come first, without the option's name.
  const url = given.find(isAddress) ?? options.url
  const base = parsePublicUrl(url.replace(/\/$/, ''))
  if (base === undefined)
    throw new OperatorError(`The address is "${url}", must be ${settings.PUBLIC_URL.rule}`)
  if (base === null)
    throw new OperatorError(
      `Name the address of the page with --url, or set PUBLIC_URL: ${settings.PUBLIC_URL.rule}`,
    )
  const campaign = named('--campaign', options.campaign)
  const others = given.filter((place) => place !== url)
  const more = others.map((place) => [place, named('The place', place)] as const)
  const found = [...Object.entries(places), ...more].map(([place, source]) => ({
    place,
    link: `${base}/${queryOf({ ...(source && { source }), ...(campaign && { campaign }) })}`,
  }))
  if (options.json) await out.json(found)
  else await out.write(`${columns(found.map(({ place, link }) => [place, link]))}\n`)
  return exitCodes.done
}

const isAddress = (place: string) => place.includes('://')

function named(what: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const name = sourceName(given)
  if (name) return name
  throw new Misuse(`${what}: is "${given}", must be a name without an address in it`)
}

export const fromCommandLine = (options: Partial<LinksOptions>, places: readonly string[]) =>
  run({}, (out) => {
    const isNamed = places.some(isAddress)
    const url = options.url ?? (isNamed ? '' : (setting('PUBLIC_URL') ?? ''))
    return links({ ...options, url, places }, out)
  })
