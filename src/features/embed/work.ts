import { languagesOf } from '../../product/languages.ts'
import type { Surroundings } from '../feature.ts'
import { policyFor } from './pasted-form.ts'
import { pastedForms } from './pasted-forms.ts'
import type { EmbedShown } from './shown.ts'

/** What the page of the desk shows: what the command prints. */
export function shown({ product, root, get }: Surroundings): EmbedShown {
  const publicUrl = get('PUBLIC_URL')
  const origins = get('EMBED_ORIGINS') ?? []
  if (publicUrl === null) return { forms: [], policy: null, origins }
  const forms = pastedForms({ root, languages: languagesOf(product), publicUrl }) ?? []
  return { forms, policy: policyFor(publicUrl), origins }
}
