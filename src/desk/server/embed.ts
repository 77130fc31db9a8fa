import type { FastifyInstance } from 'fastify'
import { policyFor } from '../../embed/pasted-form.ts'
import { pastedForms } from '../../embed/pasted-forms.ts'
import { languagesOf } from '../../product/languages.ts'
import { deskPaths } from '../contract/pages.ts'
import type { DeskParts } from './parts.ts'

/** `GET /desk/embed`: what to paste into a page of another site, as the command `embed` prints it. */
export function embed(desk: FastifyInstance, parts: DeskParts) {
  const { product, publicUrl, root, settings, show } = parts
  desk.get(deskPaths.embed, async (request, reply) => {
    const languages = languagesOf(product)
    const forms = publicUrl === null ? undefined : pastedForms({ root, languages, publicUrl })
    return show(request, reply, {
      page: 'embed',
      forms: forms ?? [],
      policy: publicUrl === null ? null : policyFor(publicUrl),
      origins: settings.embedOrigins,
    })
  })
}
