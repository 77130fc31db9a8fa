import type { HealthLight, TodayState } from '../../contract/today.ts'
import { Light, Lights, Notice } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { Ago, Time } from '../parts/time.tsx'
import { useShell } from '../view.ts'

/** Whether what the page and its letters need is in order. */
export function Health({ state }: { readonly state: TodayState }) {
  return (
    <Section title="Health" className="health">
      <Lights>
        {state.health.map((light) => (
          <Light key={light.name} tone={light.tone} title={light.name}>
            <Found light={light} now={state.at} />
          </Light>
        ))}
      </Lights>
    </Section>
  )
}

/** What is not in order, above everything else: a line for each. */
export function Troubles({ state }: { readonly state: TodayState }) {
  const troubles = state.health.filter(
    ({ tone, name }) => tone === 'bad' && !(state.trouble && name === 'Database'),
  )
  if (!state.trouble && troubles.length === 0) return null
  return (
    <div className="troubles after-3">
      {state.trouble && (
        <Notice tone="bad" title={state.trouble}>
          This is as of <Time at={state.at} />
        </Notice>
      )}
      {troubles.map((light) => (
        <Notice key={light.name} tone="bad" title={light.name}>
          <Found light={light} now={state.at} />
        </Notice>
      ))}
    </div>
  )
}

function Found({
  light: { text, at, link, command },
  now,
}: {
  readonly light: HealthLight
  readonly now: number
}) {
  const { tool } = useShell()
  const ago = at !== undefined && <Ago at={at} now={now} />
  return (
    <>
      {link ? (
        <>
          {ago}: {text}. <a href={link.href}>{link.label}</a>
        </>
      ) : (
        <>
          {text}
          {text && ago && ' '}
          {ago}
        </>
      )}
      {command && (
        <>
          . {command.does}, at a terminal: <code>{`${tool} ${command.line}`}</code>
        </>
      )}
    </>
  )
}
