import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProductLanguage } from '../../shared/product.ts'
import { type SiteManifest, site } from '../../site/site.ts'
import { type Pasted, pastedForm } from './pasted-form.ts'

export interface PastedInLanguage extends Pasted {
  /** As BCP 47 has it. */
  readonly code: string
}

interface PastedFormsOptions {
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly languages: readonly ProductLanguage[]
  readonly publicUrl: string
  readonly page?: string | undefined
  readonly isFramed?: boolean
}

/** Our form in each language of the build. @returns nothing where the page is not built. */
export function pastedForms(options: PastedFormsOptions): PastedInLanguage[] | undefined {
  const { root, languages, ...rest } = options
  const files = languages.map(({ path }) => join(root, site.joinScript(path)))
  const manifest = join(root, site.manifest)
  if (![manifest, ...files].every((file) => existsSync(file))) return undefined
  const built = JSON.parse(readFileSync(manifest, 'utf8')) as SiteManifest
  // As the page was built, which says the same.
  const confirm = built.languages[0].shown !== undefined
  return languages.map(({ code, path, product }, i) => {
    const script = readFileSync(files[i] ?? '')
    return { code, ...pastedForm({ ...rest, product, path, script, confirm }) }
  })
}
