import type { Outcome, Summary } from './summary.ts';

const colors: Record<Outcome, string> = {
  success: '#1a7f4b',
  warning: '#b25e09',
  failure: '#c0362c',
  running: '#3b5bdb',
};

/**
 * An HTML mail about an execution. It uses only tables and inline styles, because some mail clients drop
 * everything else.
 */
export function summaryHtml(summary: Summary): string {
  const { title, outcome, state, sentence, link, customMessage, fields, flowId, namespace } = summary;
  const color = colors[outcome];
  const rows = fields
    .map(
      ([name, value]) =>
        `<tr><td style="padding:8px 16px 8px 0;color:#5c6672;white-space:nowrap;vertical-align:top">${escapeHtml(name)}</td><td style="padding:8px 0;color:#1c2430;word-break:break-word">${withBreaks(value)}</td></tr>`,
    )
    .join('');
  const button = link
    ? `<tr><td style="padding:0 24px 24px"><a href="${escapeHtml(link)}" style="display:inline-block;background:${color};color:#ffffff;text-decoration:none;font-weight:600;padding:10px 20px;border-radius:6px">View execution</a></td></tr>`
    : '';
  const note = customMessage
    ? `<tr><td style="padding:20px 24px 0;color:#1c2430">${withBreaks(customMessage)}</td></tr>`
    : '';
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f3f5f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;margin:0 auto;background:#ffffff;border:1px solid #dfe4ea;border-radius:8px;font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5">
<tr><td style="background:${color};border-radius:7px 7px 0 0;padding:18px 24px;color:#ffffff"><div style="font-size:13px">${escapeHtml(namespace)}</div><div style="font-size:20px;font-weight:600">${escapeHtml(flowId)} &#10139; ${state}</div></td></tr>
${note}
<tr><td style="padding:20px 24px;color:#1c2430">${withCode(sentence)}</td></tr>
${button}
<tr><td style="padding:0 24px 20px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-top:1px solid #dfe4ea;font-size:14px">${rows}</table></td></tr>
</table>
</body>
</html>
`;
}

/** The same for readers of plain text. */
export function summaryText({ title, sentence, link, customMessage, fields }: Summary): string {
  const facts = fields.map(([name, value]) => `${name}: ${value}`);
  const parts = [customMessage, title, sentence.replaceAll('`', '"'), facts.join('\n'), link];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const withBreaks = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>');

const withCode = (text: string): string =>
  escapeHtml(text).replace(
    /`([^`]*)`/g,
    '<code style="background:#eef1f5;padding:2px 6px;border-radius:4px">$1</code>',
  );
