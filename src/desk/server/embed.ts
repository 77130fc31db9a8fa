import type { FastifyInstance } from 'fastify'
import { readEmbedSettings } from '../../config/server-settings.ts'
import { policyFor } from '../../embed/pasted-form.ts'
import { pastedForms } from '../../embed/pasted-forms.ts'
import { languagesOf } from '../../product/languages.ts'
import { deskPaths } from '../contract/pages.ts'
import type { DeskParts } from './parts.ts'

/** `GET /desk/embed`: what to paste into a page of another site, as the command `embed` prints it. */
export function embed(desk: FastifyInstance, { product, publicUrl, root, env, show }: DeskParts) {
  desk.get(deskPaths.embed, async (request, reply) => {
    const read = readEmbedSettings(env)
    const languages = languagesOf(product)
    const forms = publicUrl === null ? undefined : pastedForms({ root, languages, publicUrl })
    return show(request, reply, {
      page: 'embed',
      forms: forms ?? [],
      policy: publicUrl === null ? null : policyFor(publicUrl),
      origins: 'settings' in read ? read.settings.embedOrigins : [],
    })
  })
}
