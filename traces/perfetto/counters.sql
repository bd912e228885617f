-- How much was computed and moved? The counters of the result.
SELECT SUBSTR(args.key, 16) AS counter, args.int_value AS value
FROM slice
JOIN args USING (arg_set_id)
WHERE slice.name = 'summary' AND args.key LIKE 'debug.counters_%'
ORDER BY counter;
