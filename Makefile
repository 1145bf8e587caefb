# Every target is one line that calls the script of the same name; scripts/ says what each does.
.PHONY: demo test test-long test-compose check bench-import bench-questions bench-runs bench-api up down serve

demo:
	@scripts/demo

test:
	@scripts/test

test-long:
	@scripts/test-long

test-compose:
	@scripts/test-compose

check:
	@scripts/check

bench-import:
	@scripts/bench-import

bench-questions:
	@scripts/bench-questions

bench-runs:
	@scripts/bench-runs

bench-api:
	@scripts/bench-api

up:
	@scripts/up

down:
	@scripts/down

serve:
	@scripts/serve
