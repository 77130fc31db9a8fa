import { type Act, type Acts, actOn, type Data } from '../../../shared/report.ts'
import { say } from '../../../shared/say.ts'
import { type DeskAct, deskActs } from '../../contract/acts.ts'
import { Button } from '../parts/button.tsx'
import { Section } from '../parts/section.tsx'
import { useShell } from '../parts/view.ts'
import { PostForm } from '../post-form.tsx'

/** What the desk has for an act: a button, a link, or the command to type. @param row of a table, whose values it takes. */
export function ActOf({ row, ...act }: Act & { readonly row?: Data | undefined }) {
  const { tool, path } = useShell()
  const [unless = '', why] = act.unless ?? []
  if (row?.[unless]) return why
  const { command, values } = actOn(act, row)
  const { post, href, kind, sure }: DeskAct = act.isHere
    ? { post: '.' }
    : (deskActs[act.code] ?? {})
  const here = (where: string) =>
    actOn({ ...act, command: where.replace(/^\./, path) }, row).command
  if (post && sure)
    return (
      <details>
        <summary className="button" data-kind={kind}>
          {act.words}
        </summary>
        <PostForm action={here(post)} values={values} className="stack note measure pad">
          {sure.map((sentence) => (
            <p key={sentence}>{say(sentence)}</p>
          ))}
          <p>
            <Button kind="danger">
              {say('{act} for good', { act: act.words.replace(/ …$/, '') })}
            </Button>
          </p>
        </PostForm>
      </details>
    )
  if (post)
    return (
      <PostForm action={here(post)} values={act.isHere ? { ...values, act: act.code } : values}>
        <Button kind={kind} aria-label={[act.words, ...Object.values(values)].join(' ')}>
          {act.words}
        </Button>
      </PostForm>
    )
  if (href)
    return (
      <a href={here(href)} className={kind && 'button'} data-kind={kind}>
        {act.words}
      </a>
    )
  if (!act.command) return null
  return (
    <>
      {act.words}
      {say(', at a terminal:')}{' '}
      <code>
        {tool} {command}
      </code>
    </>
  )
}

/** Each with what it comes to. */
export function ActsOf({ title, acts }: Acts) {
  return (
    <Section title={title}>
      <div className="actions stack after-3">
        {acts.map((act) => (
          <div key={act.code}>
            <ActOf {...act} />
            <p className="note">{act.remark}</p>
          </div>
        ))}
      </div>
    </Section>
  )
}
