import type { LetterFile } from '../../announcement/run/letter-file.ts'
import { SAMPLE_CODE } from '../../mail/letter/letter.ts'
import { logoWidth } from '../../mail/letter/logo.ts'
import { renderLetter } from '../../mail/letter/render.ts'
import type { ProductLanguages } from '../../shared/product.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'

/**
 * The letter as an HTML page, as a reader of a language gets it: else of the first. Its unsubscribe
 * link and its code do not work.
 */
export async function previewLetter(
  { letter, translations, logo }: LetterFile,
  languages: ProductLanguages,
  code: string | undefined,
  out: Out,
): Promise<number> {
  const [first] = languages
  const theirs = code === undefined ? first : languages.find((one) => one.code === code)
  if (!theirs) {
    const offered = languages.map((one) => one.code).join(', ')
    throw new Misuse(`--language: the page is in ${offered}, and not in "${code}".`)
  }
  const translated = translations.find((one) => one.code === theirs.code)
  const shown = translated?.letter ?? letter
  const of = translated ? theirs : first
  const picture = `data:image/png;base64,${logo.toString('base64')}`
  const rendered = renderLetter(shown, of.product, picture, theirs.product, logoWidth(logo))
  if (code === undefined && translations.length > 0) {
    const others = translations.map((one) => `--language ${one.code}`).join(', ')
    out.say(`Shown in ${first.code}. The others: ${others}.`)
  }
  const html = rendered.html({ unsubscribe: '#unsubscribe', button: '#button' }, SAMPLE_CODE)
  // Format characters as HTML entities: the terminal would escape them, and a letter may need them.
  await out.write(html.replace(/\p{Cf}/gu, (character) => `&#${character.codePointAt(0)};`))
  return exitCodes.done
}
