import { checkSite } from '../../checks/site.ts'
import { settings } from '../../config/settings.ts'
import product from '../../product/product.ts'
import { parsePublicUrl } from '../../shared/public-url.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { run, setting } from '../run.ts'
import { sayNotes } from '../say-notes.ts'
import { siteNote } from '../words/probed.ts'

export interface CheckSiteOptions {
  /** URL of the page. */
  readonly url: string
  readonly appId: string
  /** Whether the page should ask for confirmation. */
  readonly confirm?: boolean
  readonly json?: boolean
}

/** Prints whether a page on Firebase takes sign-ups and gives none away. @returns the exit code. */
export async function checkDeployedSite(options: CheckSiteOptions, out: Out) {
  const { url, appId, confirm, json } = options
  const origin = parsePublicUrl(url)
  if (!origin)
    throw new OperatorError(
      `Name where the page is, or set PUBLIC_URL: ${settings.PUBLIC_URL.rule}`,
    )
  const found = await checkSite(new URL(origin), appId, confirm)
  return sayNotes(found.map(siteNote), json, out)
}

export const fromCommandLine = (options: { readonly json?: boolean }, url?: string) => {
  const { appId } = product
  const confirm = setting('CONFIRM')
  const given = { ...options, url: url ?? setting('PUBLIC_URL') ?? '', appId, confirm }
  return run({}, (out) => checkDeployedSite(given, out))
}
