import { look } from '../../checks/check.ts'
import { checkLetter } from '../../checks/letter.ts'
import { probeButton } from '../../checks/links.ts'
import { beforeLetters, checkPostalAddress, mailChecks } from '../../checks/mail.ts'
import { checkOpening } from '../../checks/opening.ts'
import type { ResolveTxt } from '../../checks/sender.ts'
import { addressIds } from '../../keys/address-id.ts'
import { askingButton } from '../../keys/asking-button.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { type Finding, problemKey } from '../../shared/finding.ts'
import { languageFor } from '../../shared/language-code.ts'
import type { Product, ProductLanguages } from '../../shared/product.ts'
import type { DeliveryLedger, Store } from '../../store/store.ts'
import { type CodedLetter, lookAtCodes } from '../codes.ts'
import { findLeftOut } from '../earlier.ts'
import type { RunCount } from '../outlook.ts'
import type { RecipientSelection } from '../run-options.ts'
import type { Rate } from '../sending/rate.ts'
import { checkTime } from '../sending/speed.ts'
import type { LetterFile } from './letter-file.ts'
import { type Letters, lettersDigest } from './translations.ts'

/** What the pre-flight needs to know. */
export interface FindingsOptions extends CodedLetter {
  readonly letterFile: LetterFile
  readonly product: Product
  readonly languages: ProductLanguages
  readonly linkKey: Buffer
  readonly unsubscribeUrl: string
  /** Where visitors find the page, if that is known. */
  readonly publicUrl?: string | undefined
  readonly mailer: Mailer
  readonly resolveTxt: ResolveTxt
  readonly rate: Rate
  readonly dkimSelector?: string | undefined
  /** Nothing is to be sent. */
  readonly dryRun?: boolean | undefined
}

/**
 * Checks everything that could spoil this announcement, before a letter is sent.
 *
 * @param count the count of the run; `undefined` for a test. @throws StoreUnavailable
 */
export async function findings(
  store: Store,
  options: FindingsOptions,
  selection: RecipientSelection,
  count: Pick<RunCount, 'toSend' | 'outsideAscii' | 'leftOut' | 'twice'> | undefined,
): Promise<Finding[]> {
  const { letterFile, linkKey } = options
  const { outsideAscii, toSend = 1 + letterFile.translations.length } = count ?? {}
  const { id, letter } = letterFile
  const mayBeToldAlready = selection.includeNew || selection.retry === 'failed'
  const parts = { ...options, id, store, mayBeToldAlready, mailFrom: letter.from, outsideAscii }
  const found = await look(mailChecks, parts, beforeLetters)
  found.push(checkTime(found, { ...options, toSend }))
  const ofLetter = [...(await checkLetters(letterFile, options)), ...(await lookAtCodes(options))]
  const { asks } = letterFile.letter
  for (const { path } of asks ? options.languages : [])
    if (asks) found.push(await probeButton(askingButton(asks, options, path), addressIds(linkKey)))
  // A test may be sent long before the opening, and before the DNS records.
  if (!count) return [...found.map(asNote), ...ofLetter]
  // A question is sent while the page says Coming Soon.
  const opening = asks
    ? []
    : [
        await checkOpening(await store.opening.get(), options.publicUrl, {
          isDryRun: options.dryRun,
          wasOpen: (await store.lock.run(letterFile.id))?.notes.sawOpen,
        }),
      ]
  const changed = await letterChange(store.ledger, letterFile)
  return [
    ...found,
    ...ofLetter,
    ...opening,
    ...changed,
    ...(await findLeftOut(store, selection, count)),
  ]
}

/** Checks a letter in each of its languages. */
export async function checkLetters(
  { letter, translations }: Letters,
  { product, languages }: Pick<FindingsOptions, 'product' | 'languages'>,
): Promise<Finding[]> {
  const found = [...checkPostalAddress(product), ...(await checkLetter(letter, product))]
  for (const { code, letter } of translations) {
    const ofIt = await checkLetter(letter, languageFor(languages, code).product)
    found.push(...ofIt.map((one) => ({ ...one, language: code })))
  }
  return found
}

/** A file name is one announcement: a changed letter reaches only those without the letter. */
async function letterChange(ledger: DeliveryLedger, letterFile: LetterFile): Promise<Finding[]> {
  const { id } = letterFile
  const announcement = await ledger.findAnnouncement(id)
  if (!announcement || announcement.digest === lettersDigest(letterFile)) return []
  const { sent } = announcement.tally
  return sent > 0 ? [{ code: 'letter-changed', verdict: 'problem', sent }] : []
}

/** Whether sending is allowed: `forced` where the operator overrides every problem. */
export type May = 'go' | 'forced' | 'problem' | 'fatal'

/** @param isForced which problems the operator overrides. */
export function mayGo(found: readonly Finding[], isForced: (problem: Finding) => boolean): May {
  if (found.some(({ verdict }) => verdict === 'fatal')) return 'fatal'
  const problems = found.filter(({ verdict }) => verdict === 'problem')
  if (!problems.every(isForced)) return 'problem'
  return problems.length > 0 ? 'forced' : 'go'
}

/** What a run keeps of what it found. */
export const isWrong = ({ verdict }: Finding) => verdict !== 'fine' && verdict !== 'note'

/** Whether a problem was found before. */
export const isSameProblem = (one: Finding, other: Finding) => problemKey(one) === problemKey(other)

const asNote = (found: Finding): Finding =>
  found.code === 'sender-record' && found.verdict === 'problem'
    ? { ...found, verdict: 'note' }
    : found
