/* The style sheet of a report. Contrast is at least 4.5 to 1 in light and in dark. */
#include "report_html.h"

const char *const shoal_i_html_style[] = {
    ":root{color-scheme:light dark;--page:#ffffff;--panel:#f5f7f9;--line:#d5dbe1;--ink:#1b2530;"
    "--soft:#51606f;--before:#b06a13;--after:#1f6aa5;--good:#1b6e3c;--good-page:#e8f5ec;"
    "--bad:#a3261f;--bad-page:#fdecea;--warn:#8a5300;--warn-page:#fff4dd;--track:#e3e8ed}\n",
    "@media(prefers-color-scheme:dark){:root{--page:#12181f;--panel:#1b232c;--line:#35414d;"
    "--ink:#e6ebf0;--soft:#a5b2be;--before:#e0a458;--after:#6cb2e8;--good:#7fd39b;"
    "--good-page:#16301f;--bad:#f2958d;--bad-page:#3a1b19;--warn:#f0bd5e;--warn-page:#36290f;"
    "--track:#2b3641}}\n",
    "*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}"
    "body{margin:0;background:var(--page);color:var(--ink);"
    "font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Liberation Sans\",Arial,"
    "sans-serif;overflow-wrap:anywhere}\n",
    "header,main,footer{max-width:1080px;margin:0 auto;padding:0 24px}"
    "header{padding-top:32px}footer{padding-bottom:40px;color:var(--soft);font-size:14px}\n",
    "h1{font-size:30px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}"
    "h2{font-size:21px;line-height:1.3;margin:0 0 10px;padding-top:8px}"
    "h3{font-size:16px;margin:20px 0 6px}p{margin:0 0 12px;max-width:75ch}"
    ".soft{color:var(--soft)}\n",
    "section{border-top:1px solid var(--line);padding:20px 0 14px}"
    "nav ul{list-style:none;padding:0;margin:14px 0 22px;display:flex;flex-wrap:wrap;"
    "gap:4px 18px;font-size:15px}"
    "a{color:var(--after)}a:focus-visible,.scroll:focus-visible{outline:2px solid "
    "var(--after);outline-offset:2px}\n",
    ".verdict{border-left:6px solid var(--good);background:var(--good-page);color:var(--ink);"
    "padding:12px 16px;margin:18px 0;border-radius:4px}"
    ".verdict strong{color:var(--good)}"
    ".verdict.bad{border-color:var(--bad);background:var(--bad-page)}"
    ".verdict.bad strong{color:var(--bad)}"
    ".verdict.warn{border-color:var(--warn);background:var(--warn-page)}"
    ".verdict.warn strong{color:var(--warn)}.verdict p{margin:0}"
    ".verdict ul{margin:6px 0;padding-left:20px}.verdict li{margin:0 0 4px;max-width:85ch}\n",
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,132px),1fr));"
    "gap:12px;margin:0 0 18px;padding:0}"
    ".tiles div{background:var(--panel);border:1px solid var(--line);border-radius:6px;"
    "padding:10px 14px}.tiles dt{color:var(--soft);font-size:14px}"
    ".tiles dd{margin:0;font-size:23px;font-weight:600;line-height:1.35;"
    "font-variant-numeric:tabular-nums}.tiles small{font-size:14px;font-weight:400;"
    "color:var(--soft);display:block}\n",
    ".scroll{overflow-x:auto;margin:0 0 16px}table{border-collapse:collapse;width:100%;"
    "font-size:15px;font-variant-numeric:tabular-nums}"
    "caption{text-align:left;color:var(--soft);font-size:14px;padding:0 0 4px}"
    "th,td{padding:6px 10px;border-bottom:1px solid var(--line);text-align:right;"
    "vertical-align:top;overflow-wrap:normal}"
    "thead th{color:var(--soft);font-weight:600;font-size:14px}"
    "th:first-child,td.text,th.text,.texts td,.texts th{text-align:left}"
    "tbody th{font-weight:500;overflow-wrap:anywhere;min-width:90px}\n",
    "td.bar{white-space:nowrap;min-width:150px}"
    "td.bar svg{width:80px;height:10px;margin-right:4px;border-radius:2px}"
    "td.bar span{display:inline-block;min-width:66px}"
    ".ok{color:var(--good);font-weight:600}.no{color:var(--bad);font-weight:600}\n",
    ".plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,330px),1fr));"
    "gap:16px;margin:8px 0 16px}figure{margin:0;background:var(--panel);border:1px solid "
    "var(--line);border-radius:6px;padding:12px 14px;break-inside:avoid}"
    "figcaption{font-weight:600;font-size:15px;margin-bottom:6px}"
    "figcaption small{display:block;font-weight:400;color:var(--soft);font-size:13px}\n",
    "svg.plot{display:block;width:100%;max-width:520px;height:auto}"
    ".before{fill:var(--before)}.after{fill:var(--after)}.track{fill:var(--track)}"
    ".grid{stroke:var(--line);stroke-width:1}"
    "svg text{font-size:11px;fill:var(--soft);font-family:inherit}"
    "svg text.label{fill:var(--ink);font-size:11px}\n",
    ".legend{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:14px;margin:0 0 8px;"
    "color:var(--soft)}.legend span::before{content:\"\";display:inline-block;width:11px;"
    "height:11px;border-radius:2px;margin-right:6px;background:var(--before)}"
    ".legend .new::before{background:var(--after)}\n",
    "code,.digest{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"Liberation Mono\","
    "monospace;font-size:13.5px;overflow-wrap:anywhere}"
    "dl.facts{display:grid;grid-template-columns:minmax(110px,170px) 1fr;gap:4px 16px;"
    "margin:0 0 16px}dl.facts dt{color:var(--soft)}dl.facts dd{margin:0}"
    ".picture svg{display:block;width:100%;min-width:600px;max-width:860px;height:auto}"
    ".picture img{display:block;width:100%;min-width:600px;max-width:860px;height:auto}"
    "pre.copy{background:var(--panel);border:1px solid var(--line);border-radius:6px;"
    "padding:12px 14px;overflow-x:auto;user-select:all;-webkit-user-select:all;font:13px/1.5 "
    "ui-monospace,SFMono-Regular,Menlo,Consolas,\"Liberation Mono\",monospace}"
    ".points tr.on{font-weight:600}.points tr.take{font-weight:600;"
    "background:var(--good-page)}.points tbody th{min-width:0}\n",
    "section.first{border-top:0;padding-top:4px}"
    "ul.short{padding-left:20px;margin:0 0 18px}ul.short li{margin:0 0 6px;max-width:85ch}\n",
    ".samples table{font-size:13.5px}.samples th,.samples td{padding:6px 7px}"
    ".samples td{overflow-wrap:break-word}.samples td.short{white-space:nowrap}"
    ".samples tr.as-read>*{border-bottom:0;padding-bottom:0}"
    ".samples tr.released td{color:var(--after);font-weight:500}"
    ".samples tbody th{min-width:0;white-space:nowrap;font-weight:400;color:var(--soft)}\n",
    "dl.facts.about{margin:10px 0 12px}"
    "ul.signatures{list-style:none;padding:0;margin:0}"
    "ul.signatures li{display:grid;grid-template-columns:minmax(0,1.2fr) minmax(0,2fr) "
    "minmax(0,1fr);gap:4px 20px;align-items:end;min-height:76px;break-inside:avoid}"
    ".pen{border-top:1px solid var(--soft);color:var(--soft);font-size:13px;align-self:end;"
    "padding-top:2px}.who{align-self:end;padding-bottom:22px}\n",
    "ul.limits{padding-left:20px;margin:0 0 12px}ul.limits li{margin:0 0 8px;max-width:75ch}\n",
    "@media(max-width:520px){header,main,footer{padding-left:16px;padding-right:16px}"
    "h1{font-size:25px}h2{font-size:19px}body{font-size:15px}table{font-size:14px}"
    "th,td{padding:6px 7px}.tiles{grid-template-columns:1fr 1fr}.tiles dd{font-size:20px}"
    "td.bar{min-width:0}td.bar svg{display:none}tbody th{min-width:120px}"
    "dl.facts{grid-template-columns:1fr}dl.facts dt{margin-top:6px}"
    "ul.signatures li{grid-template-columns:2fr 1fr;margin-bottom:14px}"
    ".who{grid-column:1/-1;padding:14px 0 30px}}\n",
    "@media print{:root{--page:#fff;--panel:#fff;--line:#bbb;--ink:#000;--soft:#333;"
    "--before:#b06a13;--after:#1f6aa5;--good:#1b6e3c;--good-page:#fff;--bad:#a3261f;"
    "--bad-page:#fff;--warn:#8a5300;--warn-page:#fff;--track:#e3e8ed}body{font-size:10.5pt}nav{"
    "display:none}"
    "header,main,footer{max-width:none;padding:0}section{break-inside:auto}"
    "h2,h3,caption,.legend{break-after:avoid}tr,figure,.verdict,.tiles div,.picture,pre.copy"
    "{break-inside:avoid}.scroll:not(:has(tr:nth-child(16))){break-inside:avoid}"
    ".samples table{font-size:7.5pt}.samples th,.samples td{padding:2px 4px;white-space:normal}"
    "#sign-off,.tiles{break-inside:avoid}.tiles{grid-template-columns:repeat(6,1fr);gap:6px}"
    ".tiles div{padding:6px 8px}.tiles dt,.tiles small{font-size:8pt}.tiles dd{font-size:13pt}"
    "table{font-size:9.5pt}th,td{padding:3px 6px}.legend{break-before:avoid}"
    ".samples td,.samples td.short{white-space:normal;overflow-wrap:anywhere}"
    ".samples td.tiny{white-space:nowrap}.points td.text{overflow-wrap:anywhere}"
    ".scroll{overflow:visible}.picture svg,.picture img{min-width:0;max-width:100%}"
    "pre.copy{white-space:pre-wrap;overflow-wrap:anywhere}"
    "svg rect,.legend span::before{print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact}"
    ".plots{grid-template-columns:1fr 1fr}@page{margin:18mm 15mm}}\n",
    NULL,
};
