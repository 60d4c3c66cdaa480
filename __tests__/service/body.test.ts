import { describe, expect, test } from '@jest/globals';
import type { OpenFile } from '../../src/files/open.ts';
import { frameBody } from '../../src/service/body.ts';
import type { Body } from '../../src/service/body.ts';
import { joinSegments, openInspected } from '../support/bodies.ts';
import { SCAN_KEY } from '../support/samples.ts';

function frame(file: OpenFile): Body {
  return frameBody([{ part: 'ScanJsonFile', file }], SCAN_KEY);
}

function getBoundary({ contentType }: Body): string {
  const boundary = /^multipart\/form-data; boundary=([-0-9A-Za-z'()+_,./:=?]{1,70})$/.exec(
    contentType,
  );
  return boundary?.[1] ?? 'no boundary';
}

// Any names and contents are tested in __tests__/properties/body.test.ts.

describe('frameBody', () => {
  test('frames two files in the order of the plan', async () => {
    const opened = await openInspected('bom', 'bom.cdx.json');
    const dependencies = { ...opened, displayPath: 'in/bom.cdx.json' };
    const vulnerabilities = await openInspected('<report/>', 'report.xml');
    const body = frameBody(
      [
        { part: 'DependenciesCDX', file: dependencies },
        { part: 'VulnerabilitiesTool', file: vulnerabilities },
      ],
      SCAN_KEY,
    );
    const boundary = getBoundary(body);
    const expected = [
      `--${boundary}`,
      'Content-Disposition: form-data; name="ScanKey"',
      '',
      SCAN_KEY,
      `--${boundary}`,
      'Content-Disposition: form-data; name="DependenciesCDX"; filename="bom.cdx.json"',
      'Content-Type: application/octet-stream',
      '',
      'bom',
      `--${boundary}`,
      'Content-Disposition: form-data; name="VulnerabilitiesTool"; filename="report.xml"',
      'Content-Type: application/octet-stream',
      '',
      '<report/>',
      `--${boundary}--`,
      '',
    ].join('\r\n');
    const contents = [Buffer.from('bom'), Buffer.from('<report/>')];
    expect(joinSegments(body, ...contents).toString()).toBe(expected);
    expect(body.length).toBe(Buffer.byteLength(expected));
  });

  test('makes a new boundary each time', async () => {
    const file = await openInspected('{}');
    expect(getBoundary(frame(file))).not.toBe(getBoundary(frame(file)));
  });
});
