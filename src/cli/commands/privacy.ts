import { readBackupSettings } from '../../config/backup-settings.ts'
import { readServerSettings } from '../../config/server-settings.ts'
import { productFolder } from '../../product/folders.mjs'
import product from '../../product/product.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { privacyFacts } from '../privacy/facts.ts'
import { type PrivacyLanguage, privacyText } from '../privacy/text.ts'
import { orOperatorError } from '../run.ts'

export interface PrivacyOptions {
  readonly language: PrivacyLanguage
  /** The rule of the newest copies, where there is a list that knows one. */
  readonly keep?: string | undefined
}

/** `privacy`: a data-protection text for exactly these settings. */
export async function privacy({ language, keep }: PrivacyOptions, out: Out) {
  const { env } = process
  const server = orOperatorError(readServerSettings(env, productFolder))
  const backup = orOperatorError(readBackupSettings(env, productFolder))
  const facts = privacyFacts({ product, server, backup, env, keep })
  await out.write(privacyText(facts, language))
  out.say('A draft, and no legal advice. What stands in square brackets is yours to fill in.')
  return exitCodes.done
}
