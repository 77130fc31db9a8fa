import { PUBLIC_URL_RULE, parsePublicUrl } from '../../shared/public-url.ts'
import { checkSite } from '../site-check/site-check.ts'
import { findingLines } from '../terminal/finding-lines.ts'
import { exitCodes, type Out, Trouble } from '../terminal/out.ts'

export interface CheckSiteOptions {
  /** Where visitors find the page. */
  readonly url: string
  readonly appId: string
  readonly json?: boolean
}

/** Prints whether a page on Firebase takes sign-ups and gives none away. @returns the exit code. */
export async function checkDeployedSite({ url, appId, json }: CheckSiteOptions, out: Out) {
  const origin = parsePublicUrl(url)
  if (!origin) throw new Trouble(`Name where the page is, or set PUBLIC_URL: ${PUBLIC_URL_RULE}`)
  const findings = await checkSite(new URL(origin), appId)
  await out.write(`${json ? JSON.stringify(findings) : findingLines(findings, out.style)}\n`)
  const good = findings.every(({ verdict }) => verdict === 'fine')
  return good ? exitCodes.done : exitCodes.failed
}
